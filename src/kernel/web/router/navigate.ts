import { parseSearch, stringifySearch } from './address.ts';

interface Navigator {
  push(href: string): void;
  replace(href: string): void;
  /** Address of the page that is shown. */
  href(): string;
}

let navigator: Navigator | undefined;
/** The router sets its history when it is made. */
export const provideNavigator = (given: Navigator): void => void (navigator = given);

type Way = 'push' | 'replace';

/** Holds a change of the history back until it can be made. */
type Gate = (change: () => void, way: Way) => void;
let gate: Gate = (change) => change();
export const provideGate = (given: Gate): void => void (gate = given);

let hearPop: (event: PopStateEvent) => void = () => {};
/** Who hears of a step in the history before the router does, and may keep it from it. */
export const provideHearer = (given: (event: PopStateEvent) => void): void => void (hearPop = given);
/** At the window listeners come in the order in which they were added, those that capture too: this one is there before the router's. */
export const hearStepsFirst = (): void => window.addEventListener('popstate', (event) => hearPop(event));

const go = (way: Way, href: string): void => gate(() => navigator?.[way](href), way);

/** The page that is shown, as the router knows it: the address of the window differs while the history steps back. */
export const shownHref = (): string => navigator?.href() ?? '';
/** Gives the entry of the history that stands now the address of the page that is shown. */
export const alignAddress = (): void => navigator?.replace(shownHref());

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

/** Opens or closes a layer over the page that is shown; its entry of the history is made when it has opened. */
export function goToLayer(name: string, value: string | null): void {
  go('replace', layerHref(name, value));
}
