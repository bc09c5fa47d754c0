# Writes OUTPUT, a list of {module, name, text} for each of FILES: `libdevice*.tile` hold functions
# of libdevice, every other file ones of tl. Run as cmake -DOUTPUT=... -DFILES=a.tile,b.tile -P Embed.cmake.
string(REPLACE "," ";" FILES "${FILES}")
set(result "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  set(module tl)
  if(name MATCHES "^libdevice")
    set(module libdevice)
  endif()
  file(READ ${file} text)
  string(APPEND result "{\"${module}\", \"${name}\", R\"tile(${text})tile\"},\n")
endforeach()
file(WRITE ${OUTPUT} "${result}")
