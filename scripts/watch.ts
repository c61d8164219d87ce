import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';

// npm run watch -- DOMAIN [more of vitest's words]: the tests of a domain, and after each change those that it can touch. The database's
// template is made once; a new migration or reference data need a new start.
const root = path.join(import.meta.dirname, '..');
const [domain = '', ...words] = process.argv.slice(2);
const domains = globSync('src/domains/*', { cwd: root }).map((one) => path.basename(one));
const places = domains.includes(domain)
  ? `src/domains/${domain}/`
  : ['kernel', 'web', 'testing'].includes(domain)
    ? `src/${domain}/`
    : null;
if (!places) {
  console.error(`npm run watch -- DOMAIN, where DOMAIN is one of ${domains.sort().join(', ')}, kernel, web, testing`);
  process.exit(1);
}

const vitest = spawn(process.execPath, [path.join(root, 'node_modules/vitest/vitest.mjs'), 'watch', places, ...words], {
  cwd: root,
  stdio: 'inherit',
});
process.on('SIGINT', () => {});
process.on('SIGTERM', () => vitest.kill('SIGTERM'));
vitest.on('exit', (code) => process.exit(code ?? 1));
