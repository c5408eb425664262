# Recompute coefficients.csv and blinding.csv from the raw ratings and guesses. Base R, no packages.
# Run it in this folder: Rscript recompute.R
# It prints one line a coefficient and ends with 1 if any differs by more than 1e-9.

read_table <- function(name) {
  read.csv(name, colClasses = "character", na.strings = character(0), encoding = "UTF-8",
           check.names = FALSE)
}

# units: list of numeric vectors, one an item; weights: one number an item. NA where undefined.
alpha <- function(units, weights, level) {
  scale <- sort(unique(unlist(units)))
  size <- length(scale)
  if (size < 1) return(NA_real_)
  table <- matrix(0, size, size)
  n <- 0
  for (u in seq_along(units)) {
    values <- match(units[[u]], scale)
    m <- length(values)
    if (m < 2) next
    n <- n + m
    for (i in seq_len(m)) for (j in seq_len(m)) if (i != j) {
      table[values[i], values[j]] <- table[values[i], values[j]] + weights[[u]] / (m - 1)
    }
  }
  if (sum(table) == 0) return(NA_real_)
  table <- table * n / sum(table)
  of_value <- rowSums(table)
  if (sum(of_value > 0) < 2) return(NA_real_)
  distance <- matrix(0, size, size)
  for (c in seq_len(size)) for (k in seq_len(size)) if (c != k) {
    between <- sum(of_value[min(c, k):max(c, k)])
    distance[c, k] <- switch(
      level,
      nominal = 1,
      ordinal = (between - (of_value[c] + of_value[k]) / 2)^2,
      interval = (scale[c] - scale[k])^2,
      ratio = ((scale[c] - scale[k]) / (scale[c] + scale[k]))^2
    )
  }
  seen <- sum(table * distance) / n
  chance <- sum(outer(of_value, of_value) * distance) / (n * (n - 1))
  1 - seen / chance
}

scores <- read_table("scores.csv")
scores$value <- as.numeric(scores$value)
strata <- read_table("strata.csv")
sizes <- setNames(as.numeric(strata$population), strata$stratum)
stated <- read_table("coefficients.csv")

# sets, raters: vectors of the same length that name the columns to compare.
alpha_of <- function(row, level, sets, raters) {
  kept <- paste(scores$set, scores$rater, sep = "\r") %in% paste(sets, raters, sep = "\r")
  found <- scores[kept, ]
  if (nrow(found) == 0) return(NA_real_)
  units <- split(found$value, found$item)
  stratum <- tapply(found$stratum, found$item, function(x) x[1])
  usable <- sapply(units, length) > 1
  units <- units[usable]
  stratum <- stratum[names(units)]
  if (length(units) == 0) return(NA_real_)
  weights <- rep(1, length(units))
  if (row == "pool") {
    numbers <- table(stratum)
    weights <- as.numeric(sizes[stratum]) / as.numeric(numbers[stratum])
  }
  alpha(units, weights, level)
}

expected <- function(one) {
  humans <- sort(unique(scores$rater[scores$set == one$set]))
  between <- function() alpha_of(one$row, one$level, rep(one$set, length(humans)), humans)
  with_judge <- function(human) {
    alpha_of(one$row, one$level, c(one$set, "judge"), c(human, one$judge))
  }
  if (one$kind == "human_human") return(between())
  if (one$kind == "human_judge") return(with_judge(one$human))
  mean_of_each <- mean(sapply(humans, with_judge))
  if (one$kind == "mean_human_judge") return(mean_of_each)
  between() - mean_of_each
}

guesses <- read_table("guesses.csv")

blinding <- function(one) {
  kept <- guesses[one$rater == "" | guesses$rater == one$rater, ]
  if (one$index == "bang") {
    own <- kept$guess[kept$source == one$source]
    other <- if (one$source == "person") "model" else "person"
    if (length(own) == 0) return(NA_real_)
    return((sum(own == one$source) - sum(own == other)) / length(own))
  }
  if (length(unique(kept$source)) < 2) return(NA_real_)
  known <- kept[kept$guess != "unknown", ]
  wrong <- sum(known$guess != known$source)
  count <- function(values, name) as.numeric(sum(values == name))
  chance <- count(known$guess, "person") * count(known$source, "model") +
    count(known$guess, "model") * count(known$source, "person")
  n <- nrow(kept)
  k <- nrow(known)
  apart <- if (chance > 0) wrong * k * k / (n * chance) else wrong / n
  1 - k / n + apart / 2
}

wrong <- 0
compare <- function(given, expected, names) {
  for (i in seq_len(nrow(given))) {
    one <- given[i, ]
    said <- suppressWarnings(as.numeric(one$value))
    found <- expected(one)
    same <- if (is.na(said) || is.na(found)) is.na(said) && is.na(found) else abs(said - found) < 1e-9
    if (!same) wrong <<- wrong + 1
    cat(if (same) "same  " else "DIFFERS", unlist(one[names]), said, found, "\n")
  }
}
compare(stated, expected, c("set", "row", "level", "kind", "judge", "human"))
compare(read_table("blinding.csv"), blinding, c("index", "source", "rater"))
cat(wrong, "differ\n")
if (wrong > 0) quit(status = 1)
