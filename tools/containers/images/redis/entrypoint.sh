#!/bin/sh
[ "$1" = redis-server ] && set -- "$@" --protected-mode no
exec "$@"
