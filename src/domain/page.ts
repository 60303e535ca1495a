/** Which part of a list to answer with; pages count from 1. */
export type PageRequest = { page: number; pageSize: number };

export type Page<Item> = { items: Item[]; total: number };
