import { create } from 'zustand';
import type { GroupRow } from '../../../contract/calls/shared.ts';
import type { ImMessage } from '../../../contract/im/types.ts';
import type { Inquiry } from '../desk/facts.ts';

interface DoneDialog {
  kind: 'done';
  group: GroupRow;
  takeNext: boolean;
}
/** 接管, 退回队列 and 标记已处理 ask for a reason. */
export type ReasonedDialog = DoneDialog | { kind: 'takeover'; group: GroupRow } | { kind: 'release'; group: GroupRow };

/** The dialog that is open, with what it is about as it stood when it was opened. */
export type OpenDialog =
  | { kind: 'end' | 'refuse' | 'cancel' | 'extend' | 'reopen'; inquiry: Inquiry; groupId: string }
  | { kind: 'takeover'; group: GroupRow }
  | { kind: 'release'; group: GroupRow }
  | { kind: 'transfer' | 'snooze' | 'tags' | 'priority' | 'invite' | 'mute' | 'policy'; group: GroupRow }
  | DoneDialog
  | { kind: 'tickets'; group: GroupRow }
  | { kind: 'inquiry'; patient: { operatorId: string; patientId: string | null; name: string }; groupId: string | null }
  | { kind: 'route'; group: GroupRow; doctor: RouteDoctor }
  | { kind: 'revoke' | 'original'; message: ImMessage };

export interface RouteDoctor {
  doctorName: string;
  hospitalName: string;
  openings: readonly { openingId: string; name: string; serviceType: string; priceFen: string; needSlot: boolean }[];
}

export const useDialog = create<{ open: OpenDialog | null }>(() => ({ open: null }));
export const openDialog = (open: OpenDialog): void => useDialog.setState({ open });
export const closeDialog = (): void => useDialog.setState({ open: null });
