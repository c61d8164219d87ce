import { lazy, Suspense, useEffect } from 'react';
import type { ConversationID } from '../../../contract/im/types.ts';
import type { Mode } from '../desk/choose.ts';
import { useDesk } from '../desk/useDesk.ts';
import { useDialog } from './open.ts';

const InquiryDialog = lazy(async () => ({ default: (await import('./InquiryDialog.tsx')).InquiryDialog }));
const TransferDialog = lazy(async () => ({ default: (await import('./TransferDialog.tsx')).TransferDialog }));
const SnoozeDialog = lazy(async () => ({ default: (await import('./SnoozeDialog.tsx')).SnoozeDialog }));
const ReasonDialog = lazy(async () => ({ default: (await import('./ReasonDialog.tsx')).ReasonDialog }));
const GroupDialog = lazy(async () => ({ default: (await import('./GroupDialog.tsx')).GroupDialog }));
const InviteDialog = lazy(async () => ({ default: (await import('./InviteDialog.tsx')).InviteDialog }));
const TicketDialog = lazy(async () => ({ default: (await import('./TicketDialog.tsx')).TicketDialog }));
const RevokeDialog = lazy(async () => ({ default: (await import('./RevokeDialog.tsx')).RevokeDialog }));
const OriginalDialog = lazy(async () => ({ default: (await import('./OriginalDialog.tsx')).OriginalDialog }));
const NewInquiry = lazy(async () => ({ default: (await import('./NewInquiry.tsx')).NewInquiry }));
const RouteDialog = lazy(async () => ({ default: (await import('./RouteDialog.tsx')).RouteDialog }));

/** The one dialog that is open; its code comes with its opening. */
export function DialogHost({ onChoose }: { onChoose(id: ConversationID, mode: Mode): void }) {
  const desk = useDesk();
  const open = useDialog((state) => state.open);
  // What is decided here is decided on the group as it stands.
  useEffect(() => {
    if (open && 'group' in open) desk.facts.want([open.group.groupId]);
    // Whoever closes a dialog that was refused as outdated sees what stands there now.
    return () => {
      if (open && 'inquiry' in open) void desk.retry('inquiry');
    };
  }, [desk, open]);
  if (!open) return null;
  const shown = () => {
    switch (open.kind) {
      case 'end':
      case 'refuse':
      case 'cancel':
      case 'extend':
      case 'reopen':
        return <InquiryDialog {...open} />;
      case 'transfer':
        return <TransferDialog group={open.group} />;
      case 'snooze':
        return <SnoozeDialog group={open.group} />;
      case 'takeover':
      case 'release':
      case 'done':
        return <ReasonDialog dialog={open} onChoose={onChoose} />;
      case 'tags':
      case 'priority':
      case 'mute':
      case 'policy':
        return <GroupDialog kind={open.kind} group={open.group} />;
      case 'invite':
        return <InviteDialog group={open.group} />;
      case 'tickets':
        return <TicketDialog group={open.group} />;
      case 'revoke':
        return <RevokeDialog message={open.message} />;
      case 'original':
        return <OriginalDialog message={open.message} />;
      case 'inquiry':
        return <NewInquiry {...open} onChoose={onChoose} />;
      case 'route':
        return <RouteDialog group={open.group} doctor={open.doctor} onChoose={onChoose} />;
    }
  };
  return <Suspense fallback={null}>{shown()}</Suspense>;
}
