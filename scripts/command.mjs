// npm run COMMAND: installs when needed, then runs its script on the pinned Node, as npm start does.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureInstalled, pinnedNode, root } from './launch/install.mjs';

const [script, ...words] = process.argv.slice(2);
const development = words[0] === '--development';
ensureInstalled({ development });
const child = spawn(pinnedNode(), [path.join(root, script), ...(development ? words.slice(1) : words)], { cwd: root, stdio: 'inherit' });
// Ctrl+C reaches the child too, and a signal to this process alone is passed on; we end when it has ended.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code) => process.exit(code ?? 1));
