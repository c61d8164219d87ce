import { goTo } from '#kernel/web/router/navigate.ts';
import { keys } from '#kernel/web/session/storage.ts';
import { useSession } from '#kernel/web/session/store.ts';
import { useTabs } from '#kernel/web/tabs/store.ts';
import { confirmLeaving } from '#kernel/web/tabs/unsaved.ts';

export const CORPUS_PATH = '/corpus';
export const sceneTabs = ['content', 'launch', 'stop', 'policy', 'preview', 'versions', 'runs', 'stats'] as const;
/** What the page shows beside diseases and scenes: the entries at the foot of its left menu. */
export const corpusViews = ['scene', 'material', 'form', 'engine'] as const;
export type CorpusView = (typeof corpusViews)[number];
export const viewLabels: Readonly<Record<Exclude<CorpusView, 'scene'>, string>> = {
  material: '素材库',
  form: '问卷',
  engine: '运行看板',
};
export type SceneTab = (typeof sceneTabs)[number];

/** Where the corpus page stands: nothing chosen, a disease, or one of its scenes. */
export interface Place {
  diseaseId?: string | undefined;
  sceneId?: string | undefined;
  tab?: SceneTab | undefined;
}

const show = ({ diseaseId, sceneId, tab }: Place): void =>
  goTo(CORPUS_PATH, { diseaseId, sceneId, ...(tab && tab !== 'content' && { tab }) });

/** Asks where a form of the scene that is shown holds edits; conditions are kept by themselves. */
const mayLeave = async (): Promise<boolean> =>
  !useTabs.getState().tabs.some((tab) => tab.route === CORPUS_PATH && tab.dirty) || confirmLeaving();

/** Opens a place of the corpus; the address names it, so that a link shows the same. */
export async function openPlace(place: Place): Promise<void> {
  if (await mayLeave()) show(place);
}

/** Opens a view of the menu's foot. */
export async function openView(view: Exclude<CorpusView, 'scene'>): Promise<void> {
  if (await mayLeave()) goTo(CORPUS_PATH, { view });
}

/** The place remembered for an address without one: the disease outlives a reload, the scene lives in memory. */
export function rememberedPlace(): Place {
  const diseaseId = localStorage.getItem(keys.store) ?? undefined;
  const { diseaseid, leftActiveSceneId } = useSession.getState();
  return { diseaseId, sceneId: diseaseId !== undefined && diseaseid === diseaseId ? (leftActiveSceneId ?? undefined) : undefined };
}

/** Keeps the current disease (local storage and store) and scene (store). */
export function rememberPlace(disease: { id: string; name: string } | null, scene: { id: string; name: string } | null): void {
  if (disease) localStorage.setItem(keys.store, disease.id);
  else localStorage.removeItem(keys.store);
  useSession.setState({
    diseaseid: disease?.id ?? null,
    diseaseName: disease?.name ?? '',
    leftActiveSceneId: scene?.id ?? null,
    leftActiveSceneName: scene?.name ?? '',
  });
}

/** Shows the table of all diseases: nothing is chosen any more. */
export async function openOverview(): Promise<void> {
  if (await mayLeave()) leaveDisease();
}

/** Leaves a scene that was deleted; there is nothing left to save. */
export const leaveScene = (diseaseId: string): void => show({ diseaseId });

/** Leaves a disease that was taken out of the corpus. */
export function leaveDisease(): void {
  rememberPlace(null, null);
  show({});
}
