return finish()
