import { goTo } from '../../../kernel/web/router/navigate.ts';
import { keys } from '../../../kernel/web/session/storage.ts';
import { useSession } from '../../../kernel/web/session/store.ts';

export const CORPUS_PATH = '/corpus';
export const sceneTabs = ['content', 'launch', 'stop', 'policy'] as const;
export type SceneTab = (typeof sceneTabs)[number];

/** Where the corpus page stands: nothing chosen, a disease, or one of its scenes. */
export interface Place {
  diseaseId?: string | undefined;
  sceneId?: string | undefined;
  tab?: SceneTab | undefined;
}

/** Opens a place of the corpus; the address names it, so that a link shows the same. */
export const openPlace = ({ diseaseId, sceneId, tab }: Place, options: { replace?: boolean } = {}): void =>
  goTo(CORPUS_PATH, { diseaseId, sceneId, ...(tab && tab !== 'content' && { tab }) }, options);

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
export function openOverview(): void {
  rememberPlace(null, null);
  openPlace({});
}
