import { parseSearch, stringifySearch } from './address.ts';

interface Navigator {
  push(href: string): void;
  replace(href: string): void;
}

let navigator: Navigator | undefined;
/** The router sets its history when it is made. */
export const provideNavigator = (given: Navigator): void => void (navigator = given);

/** Holds a change of the history back until it can be made. */
type Gate = (change: () => void) => void;
let gate: Gate = (change) => change();
export const provideGate = (given: Gate): void => void (gate = given);

const go = (way: 'push' | 'replace', href: string): void => gate(() => navigator?.[way](href));

export const hrefOf = (path: string, search: Readonly<Record<string, unknown>> = {}): string => path + stringifySearch(search);

/** Opens a page of the product: `goTo('/editRole', { id: role.id })`. */
export function goTo(path: string, search: Readonly<Record<string, unknown>> = {}, options: { replace?: boolean } = {}): void {
  go(options.replace ? 'replace' : 'push', hrefOf(path, search));
}

/** The address as it is now with one parameter of a layer set, or taken away (null). */
export function layerHref(name: string, value: string | null): string {
  const { pathname, search } = window.location;
  const { [name]: _former, ...rest } = parseSearch(search);
  return hrefOf(pathname, { ...rest, ...(value !== null && { [name]: value }) });
}

/** Opens or closes a layer over the page that is shown. */
export function goToLayer(name: string, value: string | null): void {
  go(value === null ? 'replace' : 'push', layerHref(name, value));
}
