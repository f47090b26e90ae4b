"""`holdfast`, with another folder for the web UI's files: OTHER_FILES FOLDER serve …"""

import sys
from pathlib import Path

from holdfast.cli import main
from holdfast.http import ui

ui.FOLDER = Path(sys.argv.pop(1))
main()
