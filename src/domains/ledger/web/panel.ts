import { createContext, use } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { queryLedgerChart } from '../contract/calls/accounts.ts';
import type { Book } from '../contract/books.ts';

/** What the tabs of a panel show: a book, or some of its accounts. */
export interface PanelScope {
  book: Book;
  accountNos?: string[];
  ownerType?: string;
  ownerId?: string;
}

export const PanelContext = createContext<PanelScope>({ book: 'CARD' });
export const usePanel = (): PanelScope => use(PanelContext);

/** Whether a panel shows all of its book. */
export const isWhole = ({ accountNos, ownerType }: PanelScope): boolean => accountNos === undefined && ownerType === undefined;

const FRESH_MS = 600_000;
/** The books that the viewer may see, with what their parts are called. */
export const useChart = () => useData(queryLedgerChart, {}, { quiet: true, fresh: FRESH_MS });
export const useBook = () => {
  const { book } = usePanel();
  const chart = useChart();
  return { ...chart, data: chart.data?.find((one) => one.book === book) };
};
