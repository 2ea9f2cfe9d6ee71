// Ends this process, as by SIGTERM, when the process that started it has gone. npm runs scripts through a shell: a
// SIGTERM for npm reaches npm and that shell and no further, and without this the exchange would continue to run. Also
// loaded by `node --import`.
const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch); // once: a second signal would mean impatience
  process.kill(process.pid, 'SIGTERM');
}, 200).unref();
