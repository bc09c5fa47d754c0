from package.star import *

# Each of two modules imports the other.
FACTOR = BASE * 2
