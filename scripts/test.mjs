// npm test: installs when needed, then runs every check on the pinned Node.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureInstalled, pinnedNode, root } from './launch/install.mjs';

ensureInstalled({ development: true });
const child = spawn(pinnedNode(), [path.join(root, 'scripts/test/run.ts'), ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code) => process.exit(code ?? 1));
