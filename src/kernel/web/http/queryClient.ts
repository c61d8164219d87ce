import { QueryClient } from '@tanstack/react-query';

/** One cache per page; refusals are not tried again, they have been shown. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 0, gcTime: 300_000 } },
});
