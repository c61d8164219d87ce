import { OPENING, type FromFrame, type ToFrame } from '../bridge/messages.ts';

type Asking = Extract<FromFrame, { id: number }>;
type AskingOf<T> = T extends { id: number } ? Omit<T, 'id'> : never;

/** The frame's end of the channel. */
export interface Channel {
  post(message: FromFrame): void;
  /** Asks the page around the frame; answered once. */
  ask(question: AskingOf<Asking>): Promise<unknown>;
}

/** Waits for the page around the frame to hand in the channel, and gives every message of it to `hear`. */
export function openChannel(hear: (message: ToFrame, channel: Channel) => void): void {
  const enter = (event: MessageEvent<unknown>) => {
    const [port] = event.ports;
    if (event.origin !== window.location.origin || event.source !== window.parent || event.data !== OPENING || !port) return;
    window.removeEventListener('message', enter);
    const waiting = new Map<number, (answer: unknown) => void>();
    let last = 0;
    const channel: Channel = {
      post: (message) => port.postMessage(message),
      ask: (question) =>
        new Promise((resolve) => {
          last += 1;
          waiting.set(last, resolve);
          port.postMessage({ ...question, id: last });
        }),
    };
    port.addEventListener('message', ({ data }: MessageEvent<ToFrame>) => {
      if (data.kind !== 'answer') return hear(data, channel);
      waiting.get(data.id)?.(data.answer);
      waiting.delete(data.id);
    });
    port.start();
    channel.post({ kind: 'ready' });
  };
  window.addEventListener('message', enter);
}
