// The tab that an address's fragment belongs to. An empty or unknown one is Read's.

export const tabOfHash = (hash) => hash.match(/^#(ask|explore|evaluate|simulate|teach)($|\?)/)?.[1] ?? "read";
