package rawjson

// ValidUTF8InModule is ValidUTF8 as modules have it.
var ValidUTF8InModule = validUTF8
