"""What a build has to show for itself: data files, statistics, funnel, card, and the way of each record."""
