/** Whether two objects of a kind have the same in all of their fields. */
export const sameFields = <Kind extends object>(one: Kind, other: Kind): boolean =>
  (Object.keys(one) as (keyof Kind)[]).every((name) => one[name] === other[name]);
