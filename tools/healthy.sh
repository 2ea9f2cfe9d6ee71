# The image's HEALTHCHECK: ends with 0 when this container's process may take work, by the port its settings name.
# In bash alone: a check by Node costs a quarter of a second of CPU, and each container has one.
port=${PORT:-8080}
if [[ -n ${BOURSE_SERVICE:-} && $BOURSE_SERVICE != gateway ]]; then port=${BOURSE_SERVICE_PORT:-8080}; fi
exec 3<>"/dev/tcp/127.0.0.1/$port" || exit 1
printf 'GET /readyz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' >&3
read -r -t 4 _ status _ <&3
[[ $status == 200 ]]
