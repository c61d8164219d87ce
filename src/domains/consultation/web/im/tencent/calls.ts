import type { ImEvents, ImInvite } from '../../../contract/im/client.ts';
import { groupConversation } from '../../../contract/im/ids.ts';
import { signals, type VendorSdk } from './sdk.ts';

interface SignalData {
  inviteID: string;
  groupID?: string;
  inviter?: string;
  invitee?: string;
  inviteeList?: string[];
  data?: string;
  timeout?: number;
}

const STATES = [
  [signals.RECEIVED, 'OPEN'],
  [signals.ACCEPTED, 'ACCEPTED'],
  [signals.REJECTED, 'REJECTED'],
  [signals.CANCELLED, 'CANCELLED'],
  [signals.TIMEOUT, 'TIMEOUT'],
] as const;
const KEPT = 200;
const DEFAULT_SECONDS = 60;

/** Invitations as the vendor signals them, each known with what it was first. */
export class Invitations {
  readonly #open = new Map<string, ImInvite>();
  readonly #emitInvite: (invite: ImEvents['onInvite']) => void;
  readonly #now: () => number;
  #stop: (() => void) | null = null;

  constructor(emitInvite: (invite: ImEvents['onInvite']) => void, now: () => number) {
    this.#emitInvite = emitInvite;
    this.#now = now;
  }

  listen(sdk: VendorSdk): void {
    this.stop();
    const handlers = STATES.map(([name, state]) => [name, (event: { data: SignalData }) => this.#hear(state, event.data)] as const);
    for (const [name, handler] of handlers) sdk.addSignalingListener(name, handler);
    this.#stop = () => {
      for (const [name, handler] of handlers) sdk.removeSignalingListener(name, handler);
    };
  }
  stop(): void {
    this.#stop?.();
    this.#stop = null;
  }

  /** An own invitation, of which the vendor tells its inviter nothing. */
  made(inviteID: string, o: { groupID: string; inviter: string; inviteeList: string[]; data: string; timeout: number }): void {
    this.#keep({
      inviteID,
      conversationID: groupConversation(o.groupID),
      groupID: o.groupID,
      inviter: o.inviter,
      inviteeList: o.inviteeList,
      data: o.data,
      state: 'OPEN',
      by: '',
      expiresAt: this.#until(o.timeout),
    });
  }

  #until(seconds: number): string {
    return new Date(this.#now() + seconds * 1000).toISOString();
  }
  #keep(invite: ImInvite): void {
    this.#open.set(invite.inviteID, invite);
    const oldest = this.#open.keys().next().value;
    if (this.#open.size > KEPT && oldest !== undefined) this.#open.delete(oldest);
  }
  #hear(state: ImInvite['state'], signal: SignalData): void {
    const known = this.#open.get(signal.inviteID);
    const groupID = signal.groupID ?? known?.groupID ?? '';
    const invite: ImInvite = {
      inviteID: signal.inviteID,
      conversationID: groupConversation(groupID),
      groupID,
      inviter: signal.inviter ?? known?.inviter ?? '',
      inviteeList: known?.inviteeList ?? signal.inviteeList ?? [],
      data: known?.data ?? signal.data ?? '',
      state,
      by: signal.invitee ?? (state === 'CANCELLED' ? (signal.inviter ?? '') : ''),
      expiresAt: known?.expiresAt ?? this.#until(signal.timeout ?? DEFAULT_SECONDS),
    };
    this.#keep(invite);
    this.#emitInvite(invite);
  }
}
