import { useEffect, useMemo, useState } from 'react';
import { send } from '#kernel/web/http/client.ts';
import { queryGroupIdsByDoctorInfo, queryImMedicalGroupPage } from '../../../contract/calls/groups.ts';
import type { GroupRow } from '../../../contract/calls/shared.ts';
import { foreignRow, type ListFilters, type ListRow, type ListTab, ownRows, passes, sorted, tabOf } from '../desk/listing.ts';
import { useDesk, useDeskState } from '../desk/useDesk.ts';

const PAGE_SIZE = 50;
const DEBOUNCE_MS = 300;
const LIMIT_STEP_MS = 15_000;

/** Groups with this doctor, as the server finds them; null while no doctor is asked for. */
function useDoctorGroups(doctorName: string | undefined): ReadonlySet<string> | null {
  const [found, setFound] = useState<ReadonlySet<string> | null>(null);
  const name = doctorName?.trim();
  useEffect(() => {
    if (!name) return setFound(null);
    const control = new AbortController();
    const timer = setTimeout(() => {
      send(queryGroupIdsByDoctorInfo, { doctorName: name }, { signal: control.signal }).then(
        ({ groupIds }) => setFound(new Set(groupIds)),
        () => {},
      );
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [name]);
  return found;
}

/** Everybody's groups, fifty at a time; the filters are the server's. */
function useAllGroups(enabled: boolean, filters: ListFilters) {
  const desk = useDesk();
  const [pages, setPages] = useState(1);
  const [state, setState] = useState<{ rows: readonly GroupRow[]; total: number; loading: boolean; fault: unknown }>({
    rows: [],
    total: 0,
    loading: false,
    fault: null,
  });
  const [tries, setTries] = useState(0);
  useEffect(() => setPages(1), [filters]);
  useEffect(() => {
    if (!enabled || filters.kind === 'C2C') return undefined;
    const { kind } = filters;
    const control = new AbortController();
    const read = async () => {
      setState((last) => ({ ...last, loading: true }));
      const page = await send(
        queryImMedicalGroupPage,
        {
          pageNo: 1,
          pageSize: pages * PAGE_SIZE,
          orderBy: filters.orderBy ?? 'lastMessage',
          ...(kind ? { kind } : {}),
          ...(filters.serverStatus?.length ? { serverStatus: [...filters.serverStatus] } : {}),
          ...(filters.onlyOverSla ? { onlyOverSla: true } : {}),
          ...(filters.tag ? { tag: filters.tag } : {}),
          ...(filters.doctorName ? { doctorName: filters.doctorName } : {}),
          ...(filters.suffererName ? { suffererName: filters.suffererName } : {}),
        },
        { signal: control.signal, quiet: true },
      );
      desk.facts.put(page.rows);
      setState({ ...page, loading: false, fault: null });
    };
    const timer = setTimeout(
      () => void read().catch((fault: unknown) => !control.signal.aborted && setState((last) => ({ ...last, loading: false, fault }))),
      DEBOUNCE_MS,
    );
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [enabled, pages, filters, desk, tries]);
  return {
    ...state,
    retry: () => setTries((count) => count + 1),
    hasMore: state.rows.length < state.total,
    more: () => setPages((count) => (state.loading ? count : Math.min(19, count + 1))),
  };
}

/** Rows of one tab under the filters, in order. */
export function useRows(
  tab: ListTab,
  filters: ListFilters,
  now: number,
): { rows: readonly ListRow[]; loading: boolean; fault: unknown; retry(): void; hasMore: boolean; more(): void } {
  const desk = useDesk();
  const queueFault = useDeskState((state) => state.queueFault);
  const me = useDeskState((state) => state.runtime?.assistant.assistantId ?? '');
  const conversations = useDeskState((state) => state.conversations);
  const groups = useDeskState((state) => state.groups);
  const queue = useDeskState((state) => state.queue);
  const doctorGroups = useDoctorGroups(filters.doctorName);
  const all = useAllGroups(tab === 'all', filters);
  // Rows move for a passed limit every quarter of a minute, not every second.
  const step = Math.floor(now / LIMIT_STEP_MS);
  const rows = useMemo(() => {
    const at = step * LIMIT_STEP_MS;
    if (tab === 'all')
      return sorted(
        all.rows
          .map((group) => foreignRow(groups.get(group.groupId) ?? group, conversations))
          .filter((row) => !filters.onlyUnread || (row.conversation?.unreadCount ?? 0) > 0),
        filters.orderBy,
      );
    const listed =
      tab === 'queued'
        ? queue.map((group) => foreignRow(group, conversations))
        : ownRows([...conversations.values()].filter(isShown), groups).filter((row) => tabOf(row, me) === tab);
    return sorted(
      listed.filter((row) => passes(row, filters, at, doctorGroups)),
      filters.orderBy ?? (tab === 'queued' ? 'sla' : 'lastMessage'),
    );
  }, [tab, step, all.rows, groups, conversations, queue, me, filters, doctorGroups]);
  const fault = tab === 'all' ? all.fault : tab === 'queued' ? queueFault : null;
  return {
    rows,
    loading: all.loading,
    fault,
    retry: tab === 'all' ? all.retry : () => void desk.facts.queue(),
    hasMore: tab === 'all' && all.hasMore,
    more: all.more,
  };
}

/** A hidden one comes back with its next message. */
const isShown = (conversation: { lastMessage: unknown; draftText: string; lastSeq: number; unreadCount: number; isPinned: boolean }) =>
  conversation.lastMessage !== null ||
  conversation.draftText !== '' ||
  conversation.lastSeq === 0 ||
  conversation.unreadCount > 0 ||
  conversation.isPinned;

/** The rows as they stand in the list, for keys that walk through them. */
export const shownRows: { current: readonly ListRow[] } = { current: [] };
