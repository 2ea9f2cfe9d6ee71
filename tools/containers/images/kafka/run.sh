#!/bin/bash
# KAFKA_LOG_DIRS becomes log.dirs; the storage is formatted once.
set -e
settings=/opt/kafka/config/server.properties
env | sed -n 's/^KAFKA_//p' | while IFS='=' read -r name value; do
  name=${name//_/.}
  echo "${name,,}=$value"
done > "$settings"
if ! grep -q '^log.dirs=' "$settings"; then echo 'log.dirs=/tmp/kraft-combined-logs' >> "$settings"; fi
cat > /opt/kafka/config/log4j2.properties <<'LOG'
status=error
appender.out.type=Console
appender.out.name=out
appender.out.layout.type=PatternLayout
appender.out.layout.pattern=[%d] %p %m (%c)%n
rootLogger.level=info
rootLogger.appenderRef.out.ref=out
LOG
java=(java -Xms256m -Xmx1g -Dlog4j2.configurationFile=/opt/kafka/config/log4j2.properties -cp '/opt/kafka/libs/*')
"${java[@]}" kafka.tools.StorageTool format --ignore-formatted -t 5L6g3nShT-eMCtK--X86sw -c "$settings" > /dev/null
exec "${java[@]}" kafka.Kafka "$settings"
