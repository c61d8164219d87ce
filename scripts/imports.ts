import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkImports } from './checks/imports.ts';
import { withRoomPaths } from './checks/roomPaths.ts';

const root = path.join(import.meta.dirname, '..');

// npm run imports [-- --fix]: the directions of ARCHITECTURE.md, which rooms may use which. `--fix` writes every module's name as the house
// does.
if (process.argv.includes('--fix'))
  for (const file of globSync('{src,e2e,bench,scripts}/**/*.{ts,tsx}', { cwd: root })) {
    const before = readFileSync(path.join(root, file), 'utf8');
    const after = withRoomPaths(file.replaceAll(path.sep, '/'), before);
    if (after !== before) writeFileSync(path.join(root, file), after);
  }
const wrong = checkImports();
for (const line of wrong) console.log(line);
console.log(wrong.length === 0 ? 'All imports follow the directions.' : `${wrong.length} imports are against the directions.`);
process.exitCode = wrong.length === 0 ? 0 : 1;
