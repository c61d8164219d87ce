import type { ComponentType, createElement } from 'react';

// The renderer is loaded as it is shipped; these are the few doors of it that the frame uses. It brings its own React.

export interface Embedded {
  unmount(): void;
}

export interface RendererProps {
  [name: string]: unknown;
  data: Readonly<Record<string, unknown>>;
}
export interface FieldProps extends RendererProps {
  value: unknown;
  onChange(value: unknown): void;
  disabled?: boolean;
  placeholder?: string;
}

interface RendererSpec {
  type: string;
  autoVar?: boolean;
}

interface Amis {
  Renderer(spec: RendererSpec): (component: ComponentType<RendererProps>) => unknown;
  FormItem(spec: RendererSpec): (component: ComponentType<FieldProps>) => unknown;
  setCustomEvalExpression(evaluate: (expression: unknown, data: unknown) => boolean): void;
  setCustomEvalJs(evaluate: (script: unknown, data: unknown) => unknown): void;
  evaluate(expression: unknown, data: unknown, options?: object): unknown;
  extendLocale(locale: string, words: Readonly<Record<string, string>>): void;
}

export interface Renderer {
  amis: Amis;
  react: {
    createElement: typeof createElement;
    useState<S>(initial: S): [S, (next: S) => void];
    useEffect(effect: () => void | (() => void), deps: readonly unknown[]): void;
  };
  embed(root: HTMLElement, definition: unknown, props: object, env: object): Embedded;
}
type Require = (name: string) => unknown;
declare global {
  interface Window {
    amisRequire?: Require;
  }
}

const BASE = '/assets/amis-6.13.0-1';

const load = <T extends HTMLElement>(element: T): Promise<T> =>
  new Promise((resolve, reject) => {
    element.addEventListener('load', () => resolve(element));
    element.addEventListener('error', () => reject(new Error('the renderer did not arrive')));
    document.head.append(element);
  });

let loading: Promise<Renderer> | undefined;

/** Loads the renderer, once. @throws when it does not arrive */
export function loadRenderer(): Promise<Renderer> {
  loading ??= (async () => {
    const style = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `${BASE}/antd.css` });
    // In front of the frame's own style, which goes on from there.
    document.head.prepend(style);
    const script = Object.assign(document.createElement('script'), { src: `${BASE}/sdk.js` });
    await Promise.all([load(script), new Promise((resolve) => style.addEventListener('load', resolve))]);
    const require = window.amisRequire;
    if (!require) throw new Error('the renderer has no entrance');
    // It is what it says it is: these names are its published interface.
    return {
      amis: require('amis') as Amis,
      react: require('react') as Renderer['react'],
      embed: (require('amis/embed') as Pick<Renderer, 'embed'>).embed,
    };
  })();
  return loading;
}
