"""A package whose own file imports one that cannot be read: what is not used is not looked at."""
from . import unreadable
from .unreadable import nothing
from package.parts.scales import double
