import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { toast, toastError } from '#kernel/web/feedback/toast.ts';
import { cssVariables, dark, light } from '#kernel/web/theme/tokens.ts';
import { OPENING, type Choice, type Chosen, type DatasetFacts, type FrameAnswer, type FromFrame, type ToFrame } from './messages.ts';

/** What the page around the frame does for it. */
export interface FrameServices {
  call(url: string, data: Readonly<Record<string, unknown>>): Promise<FrameAnswer>;
  reveal(dataset: string, column: string, key: string): Promise<string | null>;
  exported(dataset: string, filters: Readonly<Record<string, unknown>>): Promise<void>;
  /** @returns whether rows were taken in or back */
  imported(dataset: string): Promise<boolean>;
  /** Opens a window of a domain over a record, '' where it is of none. @returns whether something of it changed */
  window(name: string, record: string): Promise<boolean>;
  /** @returns null where nothing was chosen */
  choose(title: string, choice: Choice, value: string): Promise<Chosen | null>;
  /** What is chosen already, in words. */
  words(choice: Choice, value: string): Promise<string>;
  navigate(href: string): void;
  /** The state of the page in the address: filters, order, page. */
  state(query: string): void;
  preview(file: { fileId: string; fileName: string }): void;
  shown(): void;
  failed(text: string): void;
}

export interface FrameContent {
  definition: unknown;
  datasets: readonly DatasetFacts[];
  query: Readonly<Record<string, string>>;
}

const themeOf = (isDark: boolean) => ({ theme: cssVariables(isDark ? dark : light), dark: isDark });

/**
 * The page's end of the channel to one frame. It lives as long as the frame stands in the document: a page that is hidden behind another
 * tab keeps its frame and its channel.
 */
export class FrameHost {
  private readonly services: () => FrameServices;
  private frame: HTMLIFrameElement | null = null;
  private port: MessagePort | null = null;
  private ready = false;
  private content: FrameContent | null = null;
  private isDark = false;

  constructor(services: () => FrameServices) {
    this.services = services;
  }

  /** The element as React hands it in; null when it lets go of it, which it does too for a page that is only hidden. */
  readonly attach = (frame: HTMLIFrameElement | null): void => {
    if (frame) {
      if (this.frame === frame) return;
      this.frame = frame;
      frame.addEventListener('load', this.open);
      return;
    }
    const former = this.frame;
    setTimeout(() => {
      if (former && !former.isConnected && this.frame === former) this.close();
    }, 0);
  };

  show(content: FrameContent): void {
    this.content = content;
    this.send();
  }

  paint(isDark: boolean): void {
    if (this.isDark === isDark) return;
    this.isDark = isDark;
    if (this.ready) this.tell({ kind: 'theme', ...themeOf(isDark) });
  }

  /** Leads the keyboard into the search of the page. */
  search(): void {
    this.frame?.focus();
    this.tell({ kind: 'search' });
  }

  private close(): void {
    this.port?.postMessage({ kind: 'stop' } satisfies ToFrame);
    this.port?.close();
    this.frame?.removeEventListener('load', this.open);
    this.port = null;
    this.frame = null;
    this.content = null;
    this.ready = false;
  }

  private readonly open = (): void => {
    const inner = this.frame?.contentWindow;
    if (!inner) return;
    this.port?.close();
    this.ready = false;
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', this.hear);
    port1.start();
    this.port = port1;
    inner.postMessage(OPENING, window.location.origin, [port2]);
  };

  private tell(message: ToFrame): void {
    this.port?.postMessage(message);
  }

  private send(): void {
    if (this.ready && this.content) this.tell({ kind: 'show', ...this.content, ...themeOf(this.isDark) });
  }

  private answer(id: number, work: Promise<unknown>): void {
    void work.catch(() => null).then((answer) => this.tell({ kind: 'answer', id, answer }));
  }

  private readonly hear = ({ data: message }: MessageEvent<FromFrame>): void => {
    const services = this.services();
    switch (message.kind) {
      case 'ready':
        this.ready = true;
        return this.send();
      case 'shown':
        return services.shown();
      case 'call':
        return this.answer(message.id, services.call(message.url, message.data));
      case 'reveal':
        return this.answer(message.id, services.reveal(message.dataset, message.column, message.key));
      case 'export':
        return this.answer(message.id, services.exported(message.dataset, message.filters));
      case 'import':
        return this.answer(message.id, services.imported(message.dataset));
      case 'window':
        return this.answer(message.id, services.window(message.window, message.record));
      case 'choose':
        return this.answer(message.id, services.choose(message.title, message.choice, message.value));
      case 'words':
        return this.answer(message.id, services.words(message.choice, message.value));
      case 'confirm':
        return this.answer(message.id, ask({ content: message.text, ...(message.title !== '' && { title: message.title }) }));
      case 'notify':
        if (message.text === '') return;
        return message.tone === 'error' ? toastError(message.text) : toast(message.text, message.tone);
      case 'navigate':
        return services.navigate(message.href);
      case 'state':
        return services.state(message.query);
      case 'copy':
        void navigator.clipboard?.writeText(message.text).then(() => toast('已复制'));
        return;
      case 'preview':
        return services.preview(message);
      case 'height':
        return;
      case 'key': {
        const { key, code, alt, ctrl, shift } = message;
        document.body.dispatchEvent(
          new KeyboardEvent('keydown', { key, code, altKey: alt, ctrlKey: ctrl, shiftKey: shift, bubbles: true, cancelable: true }),
        );
        return;
      }
      case 'failed':
        return services.failed(message.text);
    }
  };
}
