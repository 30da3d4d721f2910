if not last and at then return {'taken'} end -- it was given back
if not last then return {'ok'} end
return finish()
