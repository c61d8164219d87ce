import { writeFileSync } from 'node:fs';
import { makeRoutes } from './routes/list.ts';
import { readmes } from './routes/pageTables.ts';

// npm run routes: every registered page with title, breadcrumb trail, domain and permission; with `--write` the tables of pages in the
// domains' READMEs are written anew.
if (process.argv.includes('--write')) for (const { file, wanted } of readmes()) writeFileSync(file, wanted);
const rows = [['route', 'title', 'trail', 'domain', 'permission'], ...makeRoutes()];
// A Chinese character takes two columns of a terminal.
const widthOf = (text: string) => [...text].reduce((width, character) => width + (character > '\u2e7f' ? 2 : 1), 0);
const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
for (const row of rows) {
  console.log(
    row
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell))))
      .join('  ')
      .trimEnd(),
  );
}
