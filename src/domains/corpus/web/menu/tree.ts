import type { DiseaseRow } from '../../contract/diseaseCalls.ts';
import type { SceneRow } from '../../contract/sceneCalls.ts';
import { asChild, asScene, type AnyScene } from '../data.ts';

/** One line of the left menu, as it is walked with the arrow keys. */
export type MenuNode =
  | { kind: 'disease'; key: string; disease: DiseaseRow; open: boolean }
  | { kind: 'scene'; key: string; scene: AnyScene; level: 2 | 3; hasChildren: boolean; open: boolean };

interface TreeState {
  diseases: readonly DiseaseRow[];
  openDisease: string | null;
  /** Tree of the open disease; undefined while it is loaded. */
  scenes: readonly SceneRow[] | undefined;
  /** Main scenes whose children are folded away. */
  folded: ReadonlySet<string>;
  search: string;
}

const holds = (text: string, search: string) => text.toLowerCase().includes(search);

const sceneNodes = (scenes: readonly SceneRow[], folded: ReadonlySet<string>, search: string): MenuNode[] =>
  scenes.flatMap((main): MenuNode[] => {
    const ownHit = holds(main.sceneName, search);
    const children = main.dataDetail.filter((child) => ownHit || holds(child.childSceneName, search));
    if (!ownHit && children.length === 0) return [];
    // what a search finds is never folded away
    const open = children.length > 0 && (search !== '' || !folded.has(main.id));
    return [
      { kind: 'scene', key: `s${main.id}`, scene: asScene(main), level: 2, hasChildren: children.length > 0, open },
      ...(open
        ? children.map((child): MenuNode => ({
            kind: 'scene',
            key: `s${child.id}`,
            scene: asChild(child, main),
            level: 3,
            hasChildren: false,
            open: false,
          }))
        : []),
    ];
  });

/** The lines of the menu from top to bottom; a search keeps diseases by name or code and scenes of the open disease by name. */
export function menuNodes({ diseases, openDisease, scenes, folded, search }: TreeState): MenuNode[] {
  const wanted = search.trim().toLowerCase();
  return diseases.flatMap((disease): MenuNode[] => {
    const isOpen = disease.id === openDisease;
    const ownHit = holds(disease.diseaseName, wanted) || holds(disease.diseaseCode, wanted);
    const below = isOpen && scenes ? sceneNodes(scenes, folded, ownHit ? '' : wanted) : [];
    if (!ownHit && below.length === 0) return [];
    return [{ kind: 'disease', key: `d${disease.id}`, disease, open: isOpen }, ...below];
  });
}

/** Where an arrow key leads from a line; null: stay. */
export function neighbour(nodes: readonly MenuNode[], key: string | null, step: 1 | -1): string | null {
  const at = nodes.findIndex((node) => node.key === key);
  if (at === -1) return (step === 1 ? nodes[0] : nodes.at(-1))?.key ?? null;
  return nodes[at + step]?.key ?? null;
}

/** The line above that a line belongs to. */
export function parentKey(nodes: readonly MenuNode[], key: string): string | null {
  const at = nodes.findIndex((node) => node.key === key);
  const node = nodes[at];
  if (!node || node.kind === 'disease') return null;
  const above = nodes
    .slice(0, at)
    .findLast((other) => (node.level === 3 ? other.kind === 'scene' && other.level === 2 : other.kind === 'disease'));
  return above?.key ?? null;
}
