import { hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import { refuse, type Refusal } from '#kernel/contract/errors.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Check } from '../../contract/engine/versionCalls.ts';
import { materialsOf, type PackageSnapshot } from '../../contract/engine/snapshot.ts';
import { corpusErrors } from '../../contract/errors.ts';
import { own } from '../database.ts';
import { sendables } from '../engine/materials.ts';
import { replayOf } from '../replay/baseVersion.ts';
import { hashOf } from './draft.ts';

/** A dry run says something about the content that it ran for so long. */
const DRY_RUN_VALID = hours(24);

interface Checked extends Check {
  /** What handing it in is refused with. */
  refusal(): Refusal;
}

/** What must hold before a draft is handed in; the page shows the same list. */
export async function checksOf(db: Db, scenePackageId: string, snapshot: PackageSnapshot, now: Instant): Promise<Checked[]> {
  const launches = snapshot.policy.entryMode === 'MANUAL' || snapshot.launch.some(({ checked }) => checked === 1);
  const materialIds = materialsOf(snapshot);
  const tasks = snapshot.schedule.filter((item) => item.createTask !== undefined).length;
  const hasContent = materialIds.length > 0 || tasks > 0;
  const materials = await sendables(db, materialIds);
  const notEnabled = materialIds.filter((id) => !materials.get(id)?.enabled).map((id) => materials.get(id)?.title ?? `编号${id}`);
  const dryRun = await own(db)
    .selectFrom('corpusScenePreview')
    .select('finishedAt')
    .where('scenePackageId', '=', scenePackageId)
    .where('kind', '=', 'DRY_RUN')
    .where('contentHash', '=', hashOf(snapshot))
    .where('state', '=', 'DONE')
    .where('finishedAt', '>', plusMs(now, -DRY_RUN_VALID))
    .limit(1)
    .executeTakeFirst();
  const replayId = await replayOf(db, scenePackageId, hashOf(snapshot), now);
  const names = notEnabled.join('、');
  return [
    { name: '启动条件', ok: launches, detail: launches ? '' : corpusErrors.NO_LAUNCH.text, refusal: () => refuse(corpusErrors.NO_LAUNCH) },
    {
      name: '语料内容',
      ok: hasContent,
      detail: hasContent
        ? [`共${materialIds.length}个素材`, ...(tasks > 0 ? [`${tasks}条任务`] : [])].join('，')
        : corpusErrors.NO_CONTENT.text,
      refusal: () => refuse(corpusErrors.NO_CONTENT),
    },
    {
      name: '素材状态',
      ok: notEnabled.length === 0,
      detail: notEnabled.length === 0 ? '' : `引用的素材未启用：${names}`,
      refusal: () => refuse(corpusErrors.MATERIAL_NOT_ENABLED, { names }),
    },
    {
      name: '试运行',
      ok: dryRun !== undefined,
      detail: dryRun ? '' : corpusErrors.NO_DRY_RUN.text,
      refusal: () => refuse(corpusErrors.NO_DRY_RUN),
    },
    {
      name: '近14天对比',
      ok: replayId !== null,
      detail: replayId === null ? corpusErrors.NO_REPLAY.text : '',
      refusal: () => refuse(corpusErrors.NO_REPLAY),
    },
  ];
}
