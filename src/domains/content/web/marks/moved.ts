/** The order after one of the ids was dropped on another; null: nothing moved. */
export function moved(ids: readonly string[], id: string | null, over: string): string[] | null {
  if (id === null || id === over || !ids.includes(id) || !ids.includes(over)) return null;
  const rest = ids.filter((other) => other !== id);
  const place = ids.indexOf(id) < ids.indexOf(over) ? rest.indexOf(over) + 1 : rest.indexOf(over);
  return rest.toSpliced(place, 0, id);
}
