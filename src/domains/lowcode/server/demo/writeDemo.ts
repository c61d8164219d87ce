import { sql } from 'kysely';
import { dayOf, days, minutes, plusDays, plusMs, type Instant } from '#kernel/contract/time.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Registry } from '#kernel/server/kernel.ts';
import { bulk, seeded } from '#kernel/server/demo/bulk.ts';
import { enterMenu } from '#domains/identity/server/index.ts';
import { openPermission } from '../../contract/permissions.ts';
import { ownTx } from '../database.ts';
import { enterCatalogue } from '../pages/publish.ts';
import { checkText } from '../check/check.ts';
import { contentColumns, readDefinition } from '../pages/versions.ts';
import { factsOf, textOf } from '../stored.ts';
import * as definitions from './definitions.ts';

interface DemoVersion {
  definition: object;
  note?: string;
  origin?: 'EDIT' | 'ROLLBACK';
  /** Days before the start. */
  ago: number;
}

interface DemoPage {
  token: string;
  title: string;
  description: string;
  permission: string;
  trail: readonly string[];
  /** The last one is the published one, unless it is a draft (`note` absent). */
  versions: readonly DemoVersion[];
  offline?: true;
  /** Directory of the menu. */
  under?: string;
}

const { first, second, third } = definitions.regionReport;

/** lowcode.md §Demo data, over the datasets of the domains that are there. */
const pages: readonly DemoPage[] = [
  {
    token: 'regionReport',
    title: '区域报表',
    description: '各城市医院数、坐标与数据质量',
    permission: 'institution.hospital.view',
    trail: ['机构与药品'],
    under: '1:机构与药品',
    versions: [
      { definition: first, note: '首次上线区域报表', ago: 40 },
      { definition: second, note: '增加质量问题图和明细列表', ago: 20 },
      { definition: third, note: '只显示前三个城市', ago: 6 },
      { definition: second, note: '恢复完整图表，运营反馈信息不足', origin: 'ROLLBACK', ago: 5 },
    ],
  },
  {
    token: 'supplierTodo',
    title: '供应商待办',
    description: '合作药企与代表备案的待办',
    permission: 'pharma.company.view',
    trail: ['机构与药品'],
    under: '1:机构与药品',
    versions: [{ definition: definitions.supplierTodo, note: '首次上线供应商待办', ago: 25 }],
  },
  {
    token: 'doctorBoard',
    title: '医生看板',
    description: '医生待办数与注册情况',
    permission: 'doctor.doctor.view',
    trail: ['医生运营'],
    under: '1:医生运营',
    versions: [{ definition: definitions.doctorBoard, note: '首次上线医生看板', ago: 15 }],
  },
  {
    token: 'newBoard',
    title: '新看板',
    description: '编写中，尚未通过校验',
    permission: '',
    trail: [],
    versions: [{ definition: definitions.newBoard, ago: 1 }],
  },
  {
    token: 'oldLogistics',
    title: '旧版门店查询',
    description: '已由药店数据代替',
    permission: 'institution.store.view',
    trail: ['机构与药品'],
    offline: true,
    versions: [{ definition: definitions.oldLogistics, note: '首次上线门店查询', ago: 90 }],
  },
  {
    token: 'brokenDemo',
    title: '药店联系簿',
    description: '所用数据集的传真列已删除',
    permission: '',
    trail: ['机构与药品'],
    under: '1:机构与药品',
    versions: [{ definition: definitions.brokenDemo, note: '首次上线联系簿', ago: 60 }],
  },
];

interface Makers {
  editor: string | null;
  publisher: string | null;
}

async function makersOf(tx: Tx): Promise<Makers> {
  const { rows } = await sql<{ userName: string; id: string }>`
    select user_name, id from identity_staff_user where user_name in ('sys_a', 'sec_a')`.execute(tx);
  const of = (name: string) => rows.find(({ userName }) => userName === name)?.id ?? null;
  return { editor: of('sys_a'), publisher: of('sec_a') };
}

async function writePage(tx: Tx, registry: Registry, page: DemoPage, { editor, publisher }: Makers, now: Instant): Promise<void> {
  const created = plusMs(now, -days(page.versions[0]?.ago ?? 0));
  const last = page.versions.at(-1)!;
  const changed = plusMs(now, -days(last.ago));
  const facts = {
    token: page.token,
    title: page.title,
    permission: page.permission === '' ? openPermission(page.token) : page.permission,
    trail: JSON.stringify(page.trail),
    leftMenu: 'none' as const,
  };
  const { id } = await ownTx(tx)
    .insertInto('lowcodePage')
    .values({
      ...facts,
      description: page.description,
      ownerDomain: 'lowcode',
      ...createdColumns({ now: created, userId: editor }),
      ...updatedColumns({ now: changed, userId: editor }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const ids: string[] = [];
  for (const [at, version] of page.versions.entries()) {
    const isLast = at === page.versions.length - 1;
    const written = plusMs(now, -days(version.ago));
    const isPublished = isLast && version.note !== undefined && !page.offline;
    const { id: versionId } = await ownTx(tx)
      .insertInto('lowcodePageVersion')
      .values({
        pageId: id,
        versionNo: at + 1,
        ...contentColumns(readDefinition(textOf(version.definition), factsOf(registry))),
        // What was published then had no error; what it has since is the page's health.
        ...(version.note !== undefined && { checkResult: '[]', errorCount: 0 }),
        state: isPublished ? 'PUBLISHED' : version.note === undefined ? 'DRAFT' : 'ARCHIVED',
        origin: version.origin ?? 'EDIT',
        basedOnVersionId: (version.origin === 'ROLLBACK' ? ids.at(1) : ids.at(-1)) ?? null,
        changeNote: version.note ?? null,
        editedBy: editor,
        editedAt: plusMs(written, -minutes(50)),
        ...(version.note !== undefined && { publishedBy: publisher, publishedAt: written }),
        ...(version.note !== undefined && !isPublished && { archivedAt: plusMs(now, -days(page.versions[at + 1]?.ago ?? 30)) }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.push(versionId);
  }
  const lastId = ids.at(-1)!;
  if (last.note === undefined) {
    await ownTx(tx).updateTable('lowcodePage').set({ draftVersionId: lastId }).where('id', '=', id).execute();
    return;
  }
  if (page.offline) {
    await ownTx(tx).updateTable('lowcodePage').set({ state: 'OFFLINE' }).where('id', '=', id).execute();
    return;
  }
  // As the next start would find it, so that it has nothing to tell.
  const errors = checkText(textOf(last.definition), factsOf(registry)).problems.filter(({ severity }) => severity === 'E');
  await ownTx(tx)
    .updateTable('lowcodePage')
    .set({
      state: 'ONLINE',
      publishedVersionId: lastId,
      formerVersionId: ids.at(-2) ?? null,
      publishedAt: changed,
      health: errors.length > 0 ? 'BROKEN' : 'OK',
      healthDetail: JSON.stringify(errors),
    })
    .where('id', '=', id)
    .execute();
  await enterCatalogue({ tx }, { ...facts, trail: page.trail });
  if (page.under !== undefined) await enterMenu(tx, { routeKey: page.token, under: page.under }, now);
}

/** A draft beside what runs, and a page that nobody may change for now. */
async function writeWork(tx: Tx, registry: Registry, { editor, publisher }: Makers, now: Instant): Promise<void> {
  const stores = await ownTx(tx)
    .selectFrom('lowcodePage as p')
    .innerJoin('lowcodePageVersion as v', 'v.id', 'p.publishedVersionId')
    .select(['p.id', 'v.id as versionId', 'v.versionNo', 'v.definition'])
    .where('p.token', '=', 'tDrugstore')
    .executeTakeFirst();
  if (stores) {
    const draft = await ownTx(tx)
      .insertInto('lowcodePageVersion')
      .values({
        pageId: stores.id,
        versionNo: stores.versionNo + 1,
        ...contentColumns(readDefinition(stores.definition.replace('没有符合条件的药店', '没有找到药店，请放宽条件'), factsOf(registry))),
        origin: 'EDIT',
        basedOnVersionId: stores.versionId,
        editedBy: editor,
        editedAt: plusMs(now, -days(2)),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await ownTx(tx).updateTable('lowcodePage').set({ draftVersionId: draft.id }).where('id', '=', stores.id).execute();
  }
  if (publisher !== null)
    await ownTx(tx)
      .updateTable('lowcodePage')
      .set({ lockedBy: publisher, lockedAt: plusMs(now, -days(3)), lockReason: '封版期间不允许修改' })
      .where('token', '=', 'downloadCenter')
      .execute();
}

/** Openings of the last thirty days, about thirty a day. */
async function writeViews(tx: Tx, now: Instant): Promise<void> {
  const online = await ownTx(tx)
    .selectFrom('lowcodePage')
    .select(['id', 'publishedAt'])
    .where('state', '=', 'ONLINE')
    .orderBy('token')
    .execute();
  const random = seeded(3030);
  const today = dayOf(now);
  const rows = online.flatMap(({ id }) =>
    Array.from({ length: 30 }, (_, at) => ({
      pageId: id,
      day: plusDays(today, -at),
      views: random.int(18, 42),
      lastAt: plusMs(now, -days(at) - minutes(random.int(1, 50))),
    })),
  );
  await bulk(tx, 'lowcode_page_view', rows);
}

/** Pages that staff wrote: growing, online, offline, half done and broken. */
export async function writeDemo({ kernel, now, transaction }: DemoContext): Promise<void> {
  await transaction(async ({ tx }) => {
    const makers = await makersOf(tx);
    for (const page of pages) await writePage(tx, kernel.registry, page, makers, now);
    await writeWork(tx, kernel.registry, makers, now);
    await writeViews(tx, now);
  });
}
