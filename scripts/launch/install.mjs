// Runs on the machine's own Node (20 or newer) before anything is installed: built-in modules only.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, statfsSync } from 'node:fs';
import path from 'node:path';

export const root = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../..');

/** Ends with a sentence instead of a stack. */
function refuse(sentence) {
  console.error(`\n${sentence}\n`);
  process.exit(1);
}

/** npm writes it last of all, when every package is there and has run its scripts. */
const INSTALLED = path.join(root, 'node_modules/.package-lock.json');

/** What a file of npm's says of packages; null where there is none, or half of one. */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}

/** Whether node_modules holds what the lockfile says; packages for other platforms may be missing. */
function upToDate(withDevelopment) {
  const wanted = packagesIn(path.join(root, 'package-lock.json'));
  const there = packagesIn(INSTALLED);
  if (!wanted || !there) return false;
  return Object.entries(wanted).every(([name, one]) => {
    if (name === '') return true;
    const found = there[name];
    if (found) return found.version === one.version;
    return one.optional || one.devOptional || (one.dev && !withDevelopment);
  });
}

/** Free room where the program lies, in MB. */
const freeRoom = () => {
  const { bavail, bsize } = statfsSync(root);
  return (bavail * bsize) / 1024 / 1024;
};

/**
 * Installs the locked packages where they are missing or differ from the lockfile: for running and building alone, or those for
 * development too. What is there besides stays.
 */
export function ensureInstalled({ development }) {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    refuse(`Kangqiao needs Node.js 20 or newer; this is ${process.version}.`);
  }
  if (upToDate(development)) return;
  console.log(`Installing packages (npm ci${development ? '' : ' --omit=dev'}), which takes a minute or two …`);
  const [began, room] = [performance.now(), freeRoom()];
  // An older list would vouch for packages that an interrupted installation has removed.
  const aside = `${INSTALLED}.old`;
  if (existsSync(INSTALLED)) renameSync(INSTALLED, aside);
  // npm tells where it is when it started us; otherwise it is looked up in the path.
  const npm = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, process.env.npm_execpath]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
  const [program, ...first] = npm;
  const install = (...words) =>
    spawnSync(program, [...first, ...words, '--loglevel=error', '--no-fund', '--no-audit', development ? '--include=dev' : '--omit=dev'], {
      cwd: root,
      stdio: 'inherit',
      shell: program.endsWith('.cmd'),
    });
  const interrupted = (done) => {
    if (done.signal) refuse('The installation was interrupted; the next start makes it again.');
  };
  let done = install('ci');
  if (done.error?.code === 'ENOENT') {
    if (existsSync(aside)) renameSync(aside, INSTALLED);
    refuse('npm was not found; it comes with Node.js.');
  }
  interrupted(done);
  // A registry without the packages of other platforms makes some npm versions refuse the lockfile; install keeps to it too.
  if (done.status !== 0) done = install('install', '--no-save');
  interrupted(done);
  if (done.status !== 0) {
    refuse(
      'The packages could not be installed (see above). The first start needs access to the npm registry; behind a proxy, set it with: npm config set proxy http://…',
    );
  }
  console.log(`Packages are installed: ${Math.round(room - freeRoom())} MB in ${Math.round((performance.now() - began) / 1000)} s.`);
}

/** The Node of the package `node`, on which everything runs. */
export function pinnedNode() {
  const program = path.join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(program)) return program;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major >= 24 || (major === 22 && minor >= 18)) return process.execPath;
  return refuse(
    `The package "node" was installed without its program, because npm ran no install scripts, and Node.js ${process.version} cannot run TypeScript. ` +
      'Install again with: npm config set ignore-scripts false && npm ci',
  );
}
