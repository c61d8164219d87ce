// npm start: installs when needed, then runs scripts/serve.ts on the pinned Node.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ensureInstalled, pinnedNode, root } from './launch/install.mjs';

console.log('Starting 康桥 Kangqiao …');
ensureInstalled({ development: false });

// Collected once memory that is kept has doubled: left alone, the engine lets garbage of a long import pile up to several times that.
const flags = JSON.parse(readFileSync(path.join(root, 'scripts/launch/nodeFlags.json'), 'utf8'));

const child = spawn(pinnedNode(), [...flags, path.join(root, 'scripts/serve.ts'), ...process.argv.slice(2)], {
  cwd: root,
  // What Node makes of the modules is kept: the next start reads them in half the time.
  env: { NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/kangqiao/compiled'), ...process.env },
  // The channel tells the child when this process is killed.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});

// Ctrl+C reaches the child too, and a signal to this process alone is passed on; we end when it has ended.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));

// npm that is killed cannot tell us; then nobody could stop the program by the process that he started.
const parent = () => {
  try {
    // npm starts a shell, which starts us: the shell's own parent is in the fourth field.
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    return `${process.ppid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`;
  } catch {
    return String(process.ppid);
  }
};
const launcher = parent();
if (process.env.npm_lifecycle_event === 'start') {
  setInterval(() => {
    if (parent() !== launcher) child.kill('SIGTERM');
  }, 250).unref();
}

child.on('error', (error) => {
  console.error(`The program could not be started: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  if (signal === 'SIGKILL')
    console.error(
      '\nThe program was killed from outside, as a system does that runs out of memory. What was finished is kept: make room, and start again.',
    );
  process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1));
});
