def unreadable(:
