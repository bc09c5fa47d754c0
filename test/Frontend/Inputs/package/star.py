import package.constants as constants

BASE = 1.5
