import { useInfiniteQuery } from '@tanstack/react-query';

/** Rows of one step; a step with fewer is the last one. */
export const STEP = 10;

/**
 * A list that grows by 加载更多 until a page has fewer than ten rows.
 * @param key the call's name first, so that `refresh(call)` asks again
 */
export function useMore<Row>(
  key: readonly unknown[],
  ask: (pageNo: number, signal: AbortSignal) => Promise<{ rows: Row[] }>,
  enabled = true,
) {
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [...key, 'more'],
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.rows.length < STEP ? undefined : pages.length + 1),
    enabled,
  });
  return {
    rows: data?.pages.flatMap((page) => page.rows),
    error,
    fetching: isFetching,
    more: hasNextPage ? () => void fetchNextPage() : null,
    moreFlying: isFetchingNextPage,
    retry: () => void refetch(),
  };
}

export type More<Row> = ReturnType<typeof useMore<Row>>;
