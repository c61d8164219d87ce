import type { Config } from '#kernel/server/config/config.ts';
import { demoPeople } from '#domains/identity/server/demo/people.ts';
import { builtinRoles } from '#domains/identity/server/reference/builtinRoles.ts';

export interface WelcomeFacts {
  config: Config;
  address: string;
  /** Where the database lies. */
  place: string;
  seconds: number;
}

/** Chinese letters take two columns of a console. */
const pad = (text: string, width: number) => text + ' '.repeat(Math.max(1, width - text.replaceAll(/[^ -~]/g, '××').length));

/** One account for each role, of those whose story does not keep them out. */
function accounts(password: string): string[] {
  const free = demoPeople.filter((one) => !one.state && one.validTo === undefined && !one.timedLock && !one.mustChange);
  const cells = builtinRoles.flatMap((role) => {
    const person =
      free.find(({ roles }) => roles.length === 1 && roles[0]?.code === role.code) ??
      free.find(({ roles }) => roles.some(({ code }) => code === role.code));
    return person ? [pad(person.userName, 12) + pad(role.name, 16)] : [];
  });
  const rows = Math.ceil(cells.length / 3);
  const lines = Array.from({ length: rows }, (_, row) =>
    `    ${[0, 1, 2].map((column) => cells[row + column * rows] ?? '').join('')}`.trimEnd(),
  );
  return [`  Accounts   password ${password}`, '', ...lines, ''];
}

/** What the console shows when the program is ready. */
export function welcome({ config, address, place, seconds }: WelcomeFacts): string {
  return [
    '',
    `康桥 Kangqiao is ready (${seconds.toFixed(1)} s):  ${address}`,
    '',
    `  Mode       ${config.mode}`,
    `  Data       ${config.dataDir}`,
    `  Database   ${place}`,
    ...(config.mode === 'production' ? [''] : accounts(config.demoPassword)),
    'Ctrl+C stops it.',
    '',
  ].join('\n');
}
