import { checkImports } from './checks/imports.ts';

// npm run imports: the directions of ARCHITECTURE.md, which rooms may use which.
const wrong = checkImports();
for (const line of wrong) console.log(line);
console.log(wrong.length === 0 ? 'All imports follow the directions.' : `${wrong.length} imports are against the directions.`);
process.exitCode = wrong.length === 0 ? 0 : 1;
