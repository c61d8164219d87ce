import path from 'node:path';

/** Rooms that others name by `#room/...` (`imports` of package.json); inside its own room a file names its neighbours by `./` and `../`. */
const ROOMS = ['kernel', 'domains', 'events', 'testing'] as const;
const NAMED = /^#(\w+)\//;
/** Every place in a source text where a module is named. */
const SPECIFIER = /((?:\bfrom|^[ \t]*import|\b(?:import|mock)\()\s*)(['"])((?:\.{1,2}|#\w+)\/[^'"\n]+)\2/gm;

/** The room of a file, a domain being a room of its own. @param file path from the root of the project, with slashes. */
const roomOf = (file: string): string => /^src\/(domains\/[^/]+|[^/]+)\//.exec(file)?.[1] ?? '';

/** The file that a module's name means, from the root of the project; a package's name stays. */
export function fileNamed(file: string, target: string): string {
  const named = NAMED.exec(target);
  if (named) return `src/${target.slice(1)}`;
  return target.startsWith('.') ? path.posix.join(path.posix.dirname(file), target) : target;
}

/** A module's name as the house writes it. */
function nameFor(file: string, target: string): string {
  const goal = fileNamed(file, target);
  const room = ROOMS.find((one) => goal.startsWith(`src/${one}/`));
  if (room && roomOf(goal) !== roomOf(file)) return `#${goal.slice('src/'.length)}`;
  const relative = path.posix.relative(path.posix.dirname(file), goal);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/** The text with every module named as the house writes it. @param file path from the root of the project, with slashes. */
export const withRoomPaths = (file: string, text: string): string =>
  text.replaceAll(SPECIFIER, (_, before: string, quote: string, target: string) => `${before}${quote}${nameFor(file, target)}${quote}`);
