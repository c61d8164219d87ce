import type { Answers, KickReason, LiveSignal, Ready, RequestName, WireEvent } from '../../contract/im/wire.ts';

/** What a connection tells the core; a tab that does not lead hears the same from the one that does. */
export type LinkEvent =
  | { type: 'state'; state: 'connecting' | 'disconnected' }
  | { type: 'ready'; ready: Ready }
  | { type: 'ev'; event: WireEvent }
  | { type: 'tick'; n: number }
  | { type: 'live'; signal: LiveSignal }
  | { type: 'kicked'; reason: KickReason };

/** The way to the chat service. */
export interface Link {
  /** @throws ImError with the service's number, or one of the network. */
  request<N extends RequestName>(name: N, data: unknown, timeoutMs?: number): Promise<Answers[N]>;
  /** Sent when there is a connection, else forgotten. */
  typing(data: unknown): void;
  readonly isOpen: boolean;
  close(): void;
}

export type LinkListener = (event: LinkEvent) => void;
