import { stringifySearch } from './address.ts';

interface Navigator {
  push(href: string): void;
  replace(href: string): void;
  back(): void;
}

let navigator: Navigator | undefined;
/** The router hands in its history when it is made. */
export const provideNavigator = (given: Navigator): void => void (navigator = given);

export const hrefOf = (path: string, search: Readonly<Record<string, unknown>> = {}): string => path + stringifySearch(search);

/** Opens a page of the product: `goTo('/editRole', { id: role.id })`. */
export function goTo(path: string, search: Readonly<Record<string, unknown>> = {}, options: { replace?: boolean } = {}): void {
  const href = hrefOf(path, search);
  if (options.replace) navigator?.replace(href);
  else navigator?.push(href);
}

export const goBack = (): void => navigator?.back();
