import { sql } from 'kysely';
import { hours, dayOf, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { Registry } from '#kernel/server/kernel.ts';
import { lowcodeRouteKeys, pageCallsSince } from '#domains/identity/server/index.ts';
import { lowcodePermissions as may } from '../contract/permissions.ts';
import { refusedSamples } from '../contract/samples.ts';
import { checkText } from './check/check.ts';
import { callOf } from './data/describe.ts';
import { own } from './database.ts';
import { factsOf, hashOf, readManifest } from './stored.ts';

/** A night's run looks at what happened since the one before, and a little further. */
const LOOK_BACK_HOURS = 26;

/** L1: at most one draft and one published version, which the page names; online exactly with a published one. */
async function misplaced(db: Db): Promise<string[]> {
  const { rows } = await sql<{ token: string }>`
    select p.token
      from lowcode_page p
      left join lateral (
        select count(*) filter (where v.state = 'DRAFT') as drafts, count(*) filter (where v.state = 'PUBLISHED') as published,
            max(v.id) filter (where v.state = 'DRAFT') as draft_id, max(v.id) filter (where v.state = 'PUBLISHED') as published_id
          from lowcode_page_version v
          where v.page_id = p.id
      ) v on true
      where v.drafts > 1
        or v.published > 1
        or (p.state = 'ONLINE') <> (v.published = 1)
        or p.published_version_id is distinct from v.published_id
        or p.draft_version_id is distinct from v.draft_id
      order by p.token`.execute(db);
  return rows.map(({ token }) => `L1 ${token}的版本与状态不符`);
}

/** L2, L4: versions that are no drafts are what they were, and name what they say they name. */
async function changed(db: Db, registry: Registry): Promise<string[]> {
  const versions = await own(db)
    .selectFrom('lowcodePageVersion as v')
    .innerJoin('lowcodePage as p', 'p.id', 'v.pageId')
    .select(['p.token', 'p.health', 'v.versionNo', 'v.state', 'v.definition', 'v.definitionHash', 'v.manifest'])
    .where('v.state', '<>', 'DRAFT')
    .where('p.state', '<>', 'REMOVED')
    .orderBy('p.token')
    .orderBy('v.versionNo')
    .execute();
  const facts = factsOf(registry);
  return versions.flatMap(({ token, health, versionNo, state, definition, definitionHash, manifest }) => {
    const found: string[] = [];
    if (hashOf(JSON.parse(definition)) !== definitionHash) found.push(`L2 ${token} v${versionNo}的定义与其摘要不符`);
    // Of a broken page the datasets are not there to be named.
    const isRead = state === 'PUBLISHED' && health === 'OK';
    if (isRead && hashOf(checkText(definition, facts).manifest) !== hashOf(readManifest(manifest)))
      found.push(`L4 ${token} v${versionNo}的使用清单与定义不符`);
    return found;
  });
}

/** L5: what pages did, by the operation log, against what their versions name. */
async function beyondManifest(db: Db, registry: Registry, now: Instant): Promise<string[]> {
  const versions = await own(db)
    .selectFrom('lowcodePageVersion as v')
    .innerJoin('lowcodePage as p', 'p.id', 'v.pageId')
    .select(['p.token', 'v.manifest'])
    .where('v.state', '<>', 'DRAFT')
    .execute();
  const named = new Map<string, Set<string>>();
  for (const { token, manifest } of versions)
    for (const { datasetCode, operations } of readManifest(manifest)) {
      const dataset = registry.datasets.get(datasetCode);
      const calls = named.get(`${token}/${datasetCode}`) ?? new Set();
      named.set(`${token}/${datasetCode}`, calls);
      if (!dataset) continue;
      for (const operation of operations) {
        const call = callOf(dataset, operation);
        if (call) calls.add(call.path);
        // Some acts read their record first.
        const read = dataset.actions.find(({ code }) => `action.${code}` === operation)?.read;
        if (read) calls.add(read.call.path);
      }
    }
  const done = await pageCallsSince(db, plusMs(now, -hours(LOOK_BACK_HOURS)));
  return done
    .filter(({ pageToken, datasetCode, call }) => !named.get(`${pageToken}/${datasetCode}`)?.has(call))
    .map(({ pageToken, datasetCode, call, times }) => `L5 ${pageToken}执行了清单之外的${datasetCode} ${call}（${times}次）`);
}

/** L6: the check that runs now refuses every definition that would reach a program, where and why the corpus says. */
function admitted(registry: Registry): string[] {
  const facts = factsOf(registry);
  return refusedSamples
    .filter(({ definition, fault }) => {
      const errors = checkText(JSON.stringify(definition), facts).problems.filter(({ severity }) => severity === 'E');
      return !errors.some(({ code, pointer }) => code === fault?.rule && pointer === fault.pointer);
    })
    .map(({ name, fault }) => `L6 示例“${name}”未按${fault?.rule ?? '规则'}拒绝`);
}

/** L7: pages that are online are those of the route catalogue. */
async function unlisted(db: Db): Promise<string[]> {
  const online = await own(db)
    .selectFrom('lowcodePage')
    .select('token')
    .where('state', '=', 'ONLINE')
    .where('builtin', '=', false)
    .orderBy('token')
    .execute();
  const tokens = new Set(online.map(({ token }) => token));
  const listed = new Set(await lowcodeRouteKeys(db));
  return [
    ...[...tokens].filter((token) => !listed.has(token)).map((token) => `L7 ${token}已发布但不在路由目录`),
    ...[...listed].filter((key) => !tokens.has(key)).map((key) => `L7 ${key}在路由目录但未发布`),
  ];
}

/** Everything that is not as it always is, one line each. */
export const findingsOf = async (db: Db, registry: Registry, now: Instant): Promise<string[]> => [
  ...(await misplaced(db)),
  ...(await changed(db, registry)),
  ...(await beyondManifest(db, registry, now)),
  ...admitted(registry),
  ...(await unlisted(db)),
];

/** Findings that the notice names; all of them stand in the log. */
const NAMED = 20;

export const nightlyJob = job({
  name: 'lowcode.nightly',
  label: '低代码页面核对',
  cron: '52 2 * * *',
  expireSeconds: 1_800,
  async run(_data, { kernel, db, now, transaction }) {
    const findings = await findingsOf(db, kernel.registry, now);
    if (findings.length === 0) return;
    kernel.log.error({ findings }, 'low-code pages are not as they should be');
    await transaction(({ tx }) =>
      kernel.ports.notices.addAlert(
        tx,
        {
          businessKey: `lowcode.invariants:${dayOf(now)}`,
          title: `低代码页面核对发现异常（${findings.length}项）`,
          body: findings.slice(0, NAMED).join('；'),
          link: '/amisPageV1',
          permission: may['page.publish'].code,
        },
        now,
      ),
    );
  },
});
