import { useEffect, useState } from 'react';
import { numberIn, type NumberPlace } from '../../contract/numberPlace.ts';
import { send } from '../http/client.ts';
import type { Found } from '../keyboard/finders.ts';
import { goTo } from '../router/navigate.ts';
import { allNumbers } from '../router/numbers.ts';
import { allRoutes, pageAt } from '../router/pages.ts';
import { isPermitted, permittedKeys } from '../session/guards.ts';
import { useSession } from '../session/store.ts';

const PAUSE_MS = 250;

interface Numbers {
  found: readonly Found[];
  /** What is said while and after nothing is found; absent: no number was typed. */
  word?: string;
}

const NONE: Numbers = { found: [] };

/** Its title where the person may open the page. */
function titleOf(path: string): string | undefined {
  const { userRoleMenu, permissions } = useSession.getState();
  const route = pageAt(path)?.route;
  return route && isPermitted(route, allRoutes(), permittedKeys(userRoleMenu), permissions) ? route.title : undefined;
}

/** How many records of this number the person may see. */
async function countOf({ list, by }: NumberPlace, no: string): Promise<number> {
  const { total } = (await send(list, { [by]: no, pageNo: 1, pageSize: 1 }, { quiet: true })) as { total: number };
  return total;
}

/** Records of a typed business number, as far as the person may open their page and see them. */
export function useNumbers(text: string): Numbers {
  const no = numberIn(text);
  const [answer, setAnswer] = useState<{ no: string; found: readonly Found[] } | null>(null);
  useEffect(() => {
    if (no === null) return undefined;
    let isLeft = false;
    const look = async () => {
      const places = (await allNumbers()).filter(({ prefix, path }) => no.startsWith(prefix) && titleOf(path) !== undefined);
      const counts = await Promise.all(places.map((place) => countOf(place, no).catch(() => 0)));
      if (isLeft) return;
      const found = places.flatMap((place, index): Found[] => {
        const count = counts[index] ?? 0;
        if (count === 0) return [];
        const title = `${place.what} ${no}${count > 1 ? ` 等${count}条` : ''}`;
        const trail = titleOf(place.path) ?? '';
        return [
          {
            key: `number ${place.what}`,
            title,
            trail,
            act: () => goTo(place.path, { ...(place.tab !== undefined && { tab: place.tab }), [place.by]: no }),
          },
        ];
      });
      setAnswer({ no, found });
    };
    const timer = setTimeout(() => void look().catch(() => isLeft || setAnswer({ no, found: [] })), PAUSE_MS);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [no]);
  if (no === null) return NONE;
  if (answer?.no !== no) return { found: [], word: '正在查找编号…' };
  return answer.found.length > 0 ? { found: answer.found } : { found: [], word: '没有找到该编号，或无权查看' };
}
