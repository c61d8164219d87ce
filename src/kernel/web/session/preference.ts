import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { webPorts } from './gateway.ts';

/**
 * A setting of this user, kept on the server because logout empties local storage.
 * Keys: `table:{routeKey}`, `views:{routeKey}`, `theme`. Until it is read, and when it cannot be, the fallback counts.
 */
export function usePreference<T>(key: string, fallback: T, enabled = true) {
  const client = useQueryClient();
  const queryKey = ['preference', key];
  const { data, isFetched } = useQuery({
    queryKey,
    enabled,
    // What was set while the answer was on its way counts, not the answer.
    queryFn: async () => {
      const stored =
        (await webPorts()
          .preferences.read(key)
          .catch(() => null)) ?? null;
      return client.getQueryData<unknown>(queryKey) ?? stored;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { mutate } = useMutation({ mutationFn: (value: T) => webPorts().preferences.write(key, value) });
  const save = useCallback(
    (value: T) => {
      client.setQueryData(['preference', key], value);
      mutate(value);
    },
    [client, key, mutate],
  );
  // Only this hook writes the key, so what is stored has its type.
  return { value: (data ?? fallback) as T, known: isFetched, save };
}
