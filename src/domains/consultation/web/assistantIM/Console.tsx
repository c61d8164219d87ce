import { lazy, Suspense, useCallback, useEffect, useState, type KeyboardEvent } from 'react';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { send } from '#kernel/web/http/client.ts';
import { usePreference } from '#kernel/web/session/preference.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { param } from '#kernel/web/router/address.ts';
import { queryImMedicalGroupPage } from '../../contract/calls/groups.ts';
import { CONVERSATION_ID } from '../../contract/im/ids.ts';
import type { ConversationID } from '../../contract/im/types.ts';
import type { Desk } from './desk/desk.ts';
import { groupIdOf } from './desk/listing.ts';
import type { Mode } from './desk/choose.ts';
import { RINGING_KEY, ringDefaults, type RingPreference } from './desk/ring.ts';
import { useDesk, useDeskState } from './desk/useDesk.ts';
import { DialogHost } from './dialogs/DialogHost.tsx';
import { ConversationList } from './list/ConversationList.tsx';
import { Strip } from './Strip.tsx';
import { useConversationFinder } from './list/useConversationFinder.ts';
import { useDeskKeys } from './useDeskKeys.ts';
import { useEmergency } from './useEmergency.ts';

const UNREACHABLE = '会话不存在，或您没有查看权限';

async function groupOfInquiry(desk: Desk, serverId: string): Promise<string | null> {
  const known = [...desk.store.getState().groups.values()].find((group) => group.serverId === serverId);
  if (known) return known.groupId;
  const { queryVisitRecordDetail } = await import('../../contract/calls/visits.ts');
  const detail = await send(queryVisitRecordDetail, { serverId }, { quiet: true }).catch(() => null);
  return detail?.row.groupId ?? null;
}

/** Which conversation an address means, and how one may read it: as a member, before taking it, or as a supervisor. */
async function findConversation(
  desk: Desk,
  wanted: { conversationID?: string | undefined; groupId?: string | undefined; serverId?: string | undefined },
): Promise<{ conversationID: ConversationID; mode: Mode } | null> {
  const groupId = wanted.groupId ?? (wanted.serverId ? await groupOfInquiry(desk, wanted.serverId) : null);
  const id = (wanted.conversationID ?? (groupId ? `GROUP${groupId}` : null)) as ConversationID | null;
  if (!id) {
    toastError(UNREACHABLE);
    return null;
  }
  const { conversations, groups } = desk.store.getState();
  const group = groupIdOf(id);
  if (conversations.has(id) || group === null) return { conversationID: id, mode: 'MEMBER' };
  const row =
    groups.get(group) ??
    (await send(queryImMedicalGroupPage, { groupIds: [group], pageNo: 1, pageSize: 10 }, { quiet: true }).catch(() => null))?.rows[0];
  if (row) {
    desk.facts.put([row]);
    return { conversationID: id, mode: row.member ? 'MEMBER' : row.canTake ? 'PREVIEW' : 'WATCH' };
  }
  toastError(UNREACHABLE);
  return null;
}

const Chat = lazy(async () => ({ default: (await import('./chat/Chat.tsx')).Chat }));
const Panel = lazy(() => import('./panel/Panel.tsx'));
const schema = { conversationID: param.optional(), seq: param.optional(), serverId: param.optional(), groupId: param.optional() };

interface Layout {
  panelWidth: number;
  panelOpen: boolean;
}
const MIN_PANEL = 280;
const MAX_PANEL = 560;
const LAYOUT: Layout = { panelWidth: 360, panelOpen: true };

/**
 * A key that writes, pressed where nothing can be written: it belongs into the open conversation. Space presses buttons and turns pages.
 */
function writesText({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || key === ' ' || ([...key].length > 1 && key !== 'Process')) return false;
  return target instanceof HTMLElement && !target.closest('input, textarea, select, [contenteditable], [role=dialog], [role=menu]');
}

/** Three columns: list, chat, panel; the address says which conversation is open. */
export default function Console() {
  const desk = useDesk();
  const [params, setParams] = useAddress(schema);
  const layout = usePreference<Layout>('table:assistantIM.layout', LAYOUT);
  const ringing = usePreference<RingPreference>(RINGING_KEY, ringDefaults);
  desk.ringing = ringing.value;
  const chosen = useDeskState((state) => state.chat?.chosen ?? null);
  const [dragged, setDragged] = useState<number | null>(null);
  const choose = useCallback(
    (id: ConversationID, mode: Mode) => {
      desk.choose(id, mode);
      setParams({ conversationID: id, seq: undefined, serverId: undefined, groupId: undefined });
    },
    [desk, setParams],
  );
  desk.onNotice = (id) => choose(id, 'MEMBER');

  // The address names a conversation, a group or an inquiry: a link, a reload, a step back.
  useEffect(() => {
    const wanted = {
      conversationID: CONVERSATION_ID.test(params.conversationID ?? '') ? params.conversationID : undefined,
      groupId: params.groupId,
      serverId: params.serverId,
    };
    if (!wanted.conversationID && !wanted.groupId && !wanted.serverId) return;
    if (wanted.conversationID && wanted.conversationID === desk.store.getState().chat?.chosen.conversationID) return;
    let gone = false;
    void findConversation(desk, wanted).then(async (found) => {
      if (gone || !found) return;
      choose(found.conversationID, found.mode);
      if (params.seq) await desk.chat.jumpWhenLoaded(Number(params.seq));
    });
    return () => void (gone = true);
  }, [desk, choose, params.conversationID, params.groupId, params.serverId, params.seq]);

  useDeskKeys(choose);
  useConversationFinder(choose);
  useEmergency();
  const width = dragged ?? layout.value.panelWidth;
  const isOpen = layout.value.panelOpen && chosen !== null;
  const startDrag = (start: React.PointerEvent<HTMLElement>) => {
    const from = start.clientX;
    const at = (event: PointerEvent) => Math.min(MAX_PANEL, Math.max(MIN_PANEL, width + from - event.clientX));
    const move = (event: PointerEvent) => setDragged(at(event));
    const end = (event: PointerEvent) => {
      window.removeEventListener('pointermove', move);
      setDragged(null);
      layout.save({ ...layout.value, panelWidth: at(event) });
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end, { once: true });
  };
  return (
    <div className="im-page" onKeyDown={(event) => writesText(event) && desk.focusComposer()}>
      <Strip onChoose={choose} />
      <div className="im-columns" style={{ gridTemplateColumns: isOpen ? `300px minmax(0, 1fr) ${width}px` : '300px minmax(0, 1fr) 28px' }}>
        <ConversationList onChoose={choose} />
        <Suspense fallback={<section className="im-chat im-nobody" />}>
          <Chat onChoose={choose} />
        </Suspense>
        {isOpen ? (
          <aside className="im-panel" aria-label="患者资料">
            <div className="im-grip" role="separator" aria-orientation="vertical" aria-label="调整宽度" onPointerDown={startDrag} />
            <button
              type="button"
              className="im-fold"
              onClick={() => layout.save({ ...layout.value, panelOpen: false })}
              aria-label="收起资料栏"
              title="收起资料栏"
            >
              »
            </button>
            <Suspense fallback={<div className="kq-loading" />}>
              <Panel onChoose={choose} />
            </Suspense>
          </aside>
        ) : (
          <button
            type="button"
            className="im-unfold"
            disabled={!chosen}
            onClick={() => layout.save({ ...layout.value, panelOpen: true })}
            aria-label="展开资料栏"
            title="展开资料栏"
          >
            «
          </button>
        )}
      </div>
      <DialogHost onChoose={choose} />
    </div>
  );
}
