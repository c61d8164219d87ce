import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type * as z from 'zod/mini';
import { fieldFacts, shapeOf } from '#kernel/contract/field.ts';
import type * as Columns from '#kernel/web/list/columnsOf.ts';
import type * as Filters from '#kernel/web/list/filtersOf.ts';

// Label, kind and dictionary of a field are the contract's: a list names its columns and search fields by their keys. What it says of them
// besides is said for a reason.

interface Spoken {
  file: string;
  schema: z.ZodMiniType;
  choice: Readonly<Record<string, unknown>>;
}
const columns: Spoken[] = [];
const filters: Spoken[] = [];

/** The page that declares a list right now. */
const declaring = () => /src\/domains\/([^:?)]+)/.exec(new Error('where').stack ?? '')?.[1]?.replace('/web/', '/') ?? 'nowhere';

const record = (into: Spoken[], schema: z.ZodMiniType, choices: readonly unknown[]) => {
  const file = declaring();
  for (const choice of choices)
    into.push({ file, schema, choice: typeof choice === 'string' ? { key: choice, name: choice } : (choice as Spoken['choice']) });
};
vi.mock('#kernel/web/list/columnsOf.ts', async (original) => {
  const real = await original<typeof Columns>();
  return {
    ...real,
    columnsOf: (...[schema, choices]: Parameters<typeof real.columnsOf>) => {
      record(columns, schema, choices);
      return real.columnsOf(schema, choices);
    },
  };
});
vi.mock('#kernel/web/list/filtersOf.ts', async (original) => {
  const real = await original<typeof Filters>();
  return {
    ...real,
    filtersOf: (...[schema, choices]: Parameters<typeof real.filtersOf>) => {
      record(filters, schema, choices);
      return real.filtersOf(schema, choices);
    },
  };
});

/** All pages are read. */
const PATIENCE = 400_000;
const root = path.join(import.meta.dirname, '../..');
const DECLARES = /\b(?:resource|columnsOf(?:<[^(]*>)?)\(/;

beforeAll(async () => {
  const pages = globSync('src/domains/*/web/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !file.includes('.test.') && DECLARES.test(readFileSync(path.join(root, file), 'utf8')),
  );
  for (const file of pages) await import(/* @vite-ignore */ path.join(root, file));
}, PATIENCE);

const factsOf = ({ schema }: Spoken, key: unknown) => {
  const own = typeof key === 'string' ? shapeOf(schema)[key] : undefined;
  return own && fieldFacts(own);
};

/** Heads that say other words than the contract, each with why. */
const OTHER_HEAD: Readonly<Record<string, readonly string[]>> = {
  'the sheet holds a number, the page a span of time': [
    'channel/channelVip/vipList.tsx priorityAcceptMin',
    'consultation/visitRecords/visitList.tsx acceptSec',
    'consultation/visitRecords/visitList.tsx durationSec',
    'consultation/visitRecords/visitList.tsx firstReplySec',
    'consultation/visitRecords/visitList.tsx videoSecUsed',
    'doctor/doctorManagement/Certs.tsx lastReminded',
    'doctor/helpDoctorManage/assistantList.tsx firstReplySec',
  ],
  'two fields in one cell, under the key of the first: it sorts, and the register has it in its list': [
    'enrolment/marks/MarkList.tsx startDate',
    'enrolment/marks/OtherMarks.tsx startDate',
    'pharma/medicines/medicineList.tsx genericName',
    'pharma/medicines/medicineList.tsx strength',
  ],
};
/** Search fields with a dictionary of their own: the positions of one kind of content. */
const OTHER_CODES = ['content/adverts/AdvertiseManage.tsx positionCode', 'content/banners/BannerList.tsx positionCode'];

/** Fields of rows whose name the page alone knows: it says 医生 or 患者, as the list does. */
const NAMELESS = ['doctor/doctorPatientChannelManagement/attributionList.tsx subjectName'];

/** What the page says of labelled fields under one of these names, as `file key`. */
const saying = (spoken: readonly Spoken[], key: 'key' | 'name', said: string) => [
  ...new Set(
    spoken
      .filter((one) => one.choice[said] !== undefined && factsOf(one, one.choice[key]))
      .map(({ file, choice }) => `${file} ${String(choice[key])}`),
  ),
];

describe('columns and search fields of the pages', () => {
  it('are read', () => {
    expect(columns.length).toBeGreaterThan(1_000);
    expect(filters.length).toBeGreaterThan(600);
  });

  it('have the label of the contract', () => {
    expect(saying(columns, 'key', 'title').sort()).toEqual(Object.values(OTHER_HEAD).flat().sort());
    expect(saying(filters, 'name', 'label')).toEqual([]);
  });

  it('have the dictionary of the contract', () => {
    expect(saying(columns, 'key', 'dictionary')).toEqual([]);
    expect(saying(filters, 'name', 'dictionary').sort()).toEqual(OTHER_CODES);
  });

  it('say no width that the contract says too', () => {
    const twice = columns.flatMap((one) => {
      const { key, width } = one.choice;
      return width !== undefined && width === factsOf(one, key)?.width ? [`${one.file} ${String(key)}`] : [];
    });
    expect(twice).toEqual([]);
  });

  it('have labelled rows behind them', () => {
    const nameless = columns.filter((one) => {
      const { key } = one.choice;
      return typeof key === 'string' && shapeOf(one.schema)[key] !== undefined && !factsOf(one, key);
    });
    expect([...new Set(nameless.map(({ file, choice }) => `${file} ${String(choice['key'])}`))]).toEqual(NAMELESS);
  });
});
