import { parseSearch, stringifySearch } from './address.ts';

interface Navigator {
  push(href: string): void;
  replace(href: string): void;
  back(): void;
}

let navigator: Navigator | undefined;
/** The router sets its history when it is made. */
export const provideNavigator = (given: Navigator): void => void (navigator = given);

/** Holds a change of the history back until it can be made. */
type Gate = (change: () => void) => void;
let gate: Gate = (change) => change();
export const provideGate = (given: Gate): void => void (gate = given);

export const hrefOf = (path: string, search: Readonly<Record<string, unknown>> = {}): string => path + stringifySearch(search);

/** Opens a page of the product: `goTo('/editRole', { id: role.id })`. */
export function goTo(path: string, search: Readonly<Record<string, unknown>> = {}, options: { replace?: boolean } = {}): void {
  const href = hrefOf(path, search);
  gate(() => (options.replace ? navigator?.replace(href) : navigator?.push(href)));
}

/** The address as it is now with one parameter of a layer set, or taken away (null). */
export function layerHref(name: string, value: string | null): string {
  const { pathname, search } = window.location;
  const { [name]: _former, ...rest } = parseSearch(search);
  return hrefOf(pathname, { ...rest, ...(value !== null && { [name]: value }) });
}

/** Opens or closes a layer over the page that is shown. */
export function goToLayer(name: string, value: string | null): void {
  const href = layerHref(name, value);
  gate(() => (value === null ? navigator?.replace(href) : navigator?.push(href)));
}
