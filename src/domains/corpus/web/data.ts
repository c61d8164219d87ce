import { useData } from '#kernel/web/http/queries.ts';
import { queryDiseaseList } from '../contract/diseaseCalls.ts';
import { querySceneList, type ChildSceneRow, type SceneRow } from '../contract/sceneCalls.ts';

/** The page size that the specification gives. */
const WHOLE = 999;

/** The tree of a disease's scenes. */
export const useSceneTree = (diseaseId: string | undefined) =>
  useData(
    querySceneList,
    { diseaseId: diseaseId ?? '0', pageNo: 1, pageSize: WHOLE },
    { enabled: diseaseId !== undefined, quiet: true, fresh: 5_000 },
  );

/** A scene or child scene under one shape. */
export interface AnyScene {
  id: string;
  name: string;
  diseaseId: string;
  /** The main scene of a child scene. */
  main: SceneRow | null;
  chatFlag: SceneRow['chatFlag'];
  state: SceneRow['state'];
  scenePackageId: string;
  version: number;
  /** Empty for a child scene. */
  childIds: readonly string[];
}

const anyScene = (row: SceneRow | ChildSceneRow, main: SceneRow | null, diseaseId: string): AnyScene => ({
  id: row.id,
  name: 'sceneName' in row ? row.sceneName : row.childSceneName,
  diseaseId,
  main,
  chatFlag: row.chatFlag,
  state: row.state,
  scenePackageId: row.scenePackageId,
  version: row.version,
  childIds: 'dataDetail' in row ? row.dataDetail.map((child) => child.id) : [],
});

export const asScene = (row: SceneRow): AnyScene => anyScene(row, null, row.diseaseId);
export const asChild = (row: ChildSceneRow, main: SceneRow): AnyScene => anyScene(row, main, main.diseaseId);

export function findScene(tree: readonly SceneRow[], sceneId: string): AnyScene | undefined {
  for (const main of tree) {
    if (main.id === sceneId) return asScene(main);
    const child = main.dataDetail.find((row) => row.id === sceneId);
    if (child) return asChild(child, main);
  }
  return undefined;
}

/** The page size that the specification gives. */
const MENU_PAGE = 99;

/** Diseases of the left menu. A failed list call is swallowed: what was there stays. */
export const useMenuDiseases = () =>
  useData(queryDiseaseList, { pageNo: 1, pageSize: MENU_PAGE, available: 1 }, { quiet: true, fresh: 5_000 });
