import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { delDiseaseInfo, queryDiseaseList, type DiseaseRow } from '../contract/diseaseCalls.ts';
import { delScene, querySceneList } from '../contract/sceneCalls.ts';
import { useCorpusCommand } from './useCorpusCommand.ts';
import type { AnyScene } from './data.ts';
import { dropDrafts } from './conditions/draftStore.ts';
import { leaveDisease, leaveScene, rememberedPlace } from './place.ts';

const DELETED = '删除成功!';

/** Asks, deletes the scene (a main scene with its children) and leaves its page. */
export function useRemoveScene(onDone?: () => void) {
  const { run, busy } = useCorpusCommand({ call: delScene, success: DELETED, refreshes: [querySceneList, queryDiseaseList] });
  const remove = async (scene: AnyScene) => {
    if (!(await confirmDelete(`场景“${scene.name}”`, scene.childIds.length > 0 ? [`其下${scene.childIds.length}个子场景一并删除`] : [])))
      return;
    const input = { id: scene.id, diseaseid: scene.diseaseId, sign: scene.main ? 2 : 1 } as const;
    const done = await run(input, { version: scene.version, mine: { sceneName: scene.name }, labels: { sceneName: '场景名称' } });
    if (!done) return;
    onDone?.();
    dropDrafts([scene.scenePackageId]);
    const { sceneId } = rememberedPlace();
    if (sceneId === scene.id || (sceneId !== undefined && scene.childIds.includes(sceneId))) leaveScene(scene.diseaseId);
  };
  return { remove, busy };
}

/** Asks, takes the disease out of the corpus and leaves its page. */
export function useRemoveDisease() {
  const { run, busy } = useCorpusCommand({ call: delDiseaseInfo, success: DELETED, refreshes: [queryDiseaseList, querySceneList] });
  const remove = async (disease: DiseaseRow) => {
    if (!(await confirmDelete(`病种“${disease.diseaseName}”`, disease.sceneCount > 0 ? [`其下${disease.sceneCount}个场景一并删除`] : [])))
      return;
    const done = await run(
      { id: disease.id },
      {
        version: disease.version,
        mine: { diseaseName: disease.diseaseName, sceneCount: disease.sceneCount },
        labels: { diseaseName: '病种名称', sceneCount: '场景数' },
      },
    );
    if (done && rememberedPlace().diseaseId === disease.id) leaveDisease();
  };
  return { remove, busy };
}
