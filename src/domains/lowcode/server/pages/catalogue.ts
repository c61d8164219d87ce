import { query, type Handler } from '#kernel/server/handler.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel, Registry } from '#kernel/server/kernel.ts';
import { permissionCodesOf } from '#kernel/server/registry.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { queryDatasetDetail, queryDatasetList } from '../../contract/calls/datasets.ts';
import { ownerDomains } from '../../contract/dictionaries.ts';
import { describe, describeAction } from '../data/describe.ts';
import { own } from '../database.ts';
import { readManifest, textOf } from '../stored.ts';
import { crudOf } from './skeleton.ts';

/** Pages by the datasets that their published versions name. */
async function usersOf(db: Db): Promise<Map<string, { token: string; title: string }[]>> {
  const rows = await own(db)
    .selectFrom('lowcodePage as p')
    .innerJoin('lowcodePageVersion as v', 'v.id', 'p.publishedVersionId')
    .select(['p.token', 'p.title', 'v.manifest'])
    .orderBy('p.token')
    .execute();
  const users = new Map<string, { token: string; title: string }[]>();
  for (const { token, title, manifest } of rows)
    for (const { datasetCode } of readManifest(manifest)) users.set(datasetCode, [...(users.get(datasetCode) ?? []), { token, title }]);
  return users;
}

type Registered = Registry['datasets'] extends ReadonlyMap<string, infer One> ? One : never;

const rowOf = (dataset: Registered, users: Map<string, { token: string; title: string }[]>) => ({
  code: dataset.code,
  label: dataset.label,
  domain: ownerDomains.codes.find((code) => code === dataset.domain) ?? 'lowcode',
  list: dataset.list.name,
  permission: permissionCodesOf(dataset.list).join('、') || 'session',
  columns: dataset.columns.length,
  actions: dataset.actions.length,
  pages: users.get(dataset.code) ?? [],
});

/** The datasets that run now. */
export const catalogueHandlers = (kernel: Pick<Kernel, 'registry'>): Handler[] => [
  query(queryDatasetList, async ({ domain, keyword = '' }, { db }) => {
    const users = await usersOf(db);
    return [...kernel.registry.datasets.values()]
      .filter(
        (dataset) =>
          (domain === undefined || dataset.domain === domain) && (dataset.code.includes(keyword) || dataset.label.includes(keyword)),
      )
      .toSorted((a, b) => (a.code < b.code ? -1 : 1))
      .map((dataset) => rowOf(dataset, users));
  }),
  query(queryDatasetDetail, async ({ code }, { db }) => {
    const dataset = kernel.registry.datasets.get(code);
    if (!dataset) throw refuse(platformErrors.NOT_FOUND, { message: '数据集不存在' });
    const { columns, filters, stats, keyField, versionField } = describe(dataset, () => true);
    return {
      ...rowOf(dataset, await usersOf(db)),
      keyField,
      versionField,
      columns,
      filters,
      stats,
      sorts: [...dataset.sorts],
      detail: dataset.detail !== null,
      exports: dataset.export !== null,
      imports: dataset.import !== null,
      timeline: dataset.detail?.trail !== null && dataset.detail !== null,
      options: Object.entries(dataset.options).map(([name, { label }]) => ({ name, label })),
      actions: dataset.actions.map(describeAction),
      skeleton: textOf(crudOf(dataset, true)),
    };
  }),
];
