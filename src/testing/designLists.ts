import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The product's single lists, as they stand in docs/design. */
const read = (name: string) => readFileSync(path.join(import.meta.dirname, '../../docs/design', name), 'utf8');

function cellsOf(line: string): string[] {
  const cells = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...cells].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}

/** Rows of a CSV by the names of its header. */
export function designCsv(name: string): Record<string, string>[] {
  const [header, ...lines] = read(name).trim().split('\n');
  const names = cellsOf(header!.trim());
  return lines.map((line) => {
    const cells = cellsOf(line.trim());
    return Object.fromEntries(names.map((column, index) => [column, cells[index] ?? '']));
  });
}

/** View permission of each route, from all tables of menus.md. */
export function viewPermissions(): Map<string, string> {
  const table = new Map<string, string>();
  for (const line of read('menus.md').split('\n')) {
    const cells = line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1);
    const route = cells.find((cell) => cell.startsWith('/'));
    if (route) table.set(route, cells.at(-1)!);
  }
  return table;
}

export interface DesignEvent {
  name: string;
  publisher: string;
  payload: string;
  consumers: string[];
}

/** Rows of events.md. */
export function designEvents(): DesignEvent[] {
  return read('events.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => {
      const [names, publisher, payload, consumers] = line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1);
      return names!.split('/').map((name) => ({
        name: name.replaceAll('`', '').trim(),
        publisher: publisher!,
        payload: payload!,
        consumers: consumers!.split(',').map((consumer) => consumer.trim()),
      }));
    });
}
